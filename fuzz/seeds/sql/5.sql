EXPLAIN SELECT lower(a) || "q" FROM t -- c
