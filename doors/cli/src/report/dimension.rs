//! Rulings by one thing about them (verdict, class, agent, tool), in all and as time goes by.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::calendar::{Calendar, Width};
use super::counts::MOST_NAMES;

/// What policy said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    Allow,
    NeedsApproval,
    Deny,
    /// A word that this version does not know.
    Other,
}

impl Verdict {
    pub(super) const ALL: [Self; 4] = [Self::Allow, Self::NeedsApproval, Self::Deny, Self::Other];

    pub(super) fn of(word: &str) -> Self {
        match word {
            "allow" => Self::Allow,
            "needs_approval" => Self::NeedsApproval,
            "deny" => Self::Deny,
            _ => Self::Other,
        }
    }

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::NeedsApproval => "needs approval",
            Self::Deny => "deny",
            Self::Other => "other",
        }
    }
}

/// Where one ruling belongs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ruled {
    pub(super) verdict: Verdict,
    /// The first hour of its stretch of time.
    pub(super) start: i64,
}

/// Rulings with one name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    verdicts: BTreeMap<Verdict, u64>,
    times: BTreeMap<i64, u64>,
}

impl Row {
    fn add(&mut self, ruled: Ruled) {
        *self.verdicts.entry(ruled.verdict).or_default() += 1;
        *self.times.entry(ruled.start).or_default() += 1;
    }

    fn absorb(&mut self, other: &Self) {
        for (verdict, count) in &other.verdicts {
            *self.verdicts.entry(*verdict).or_default() += count;
        }
        for (start, count) in &other.times {
            *self.times.entry(*start).or_default() += count;
        }
    }

    fn widen(&mut self, width: Width) {
        let mut times = BTreeMap::new();
        for (start, count) in &self.times {
            *times.entry(width.start(*start)).or_default() += count;
        }
        self.times = times;
    }

    pub(super) fn all(&self) -> u64 {
        self.verdicts.values().sum()
    }

    pub(super) fn of(&self, verdict: Verdict) -> u64 {
        self.verdicts.get(&verdict).copied().unwrap_or_default()
    }

    pub(super) fn at(&self, start: i64) -> u64 {
        self.times.get(&start).copied().unwrap_or_default()
    }
}

/// What a row stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    Named(String),
    NotStated,
    Others,
}

/// Rulings by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Dimension {
    names: BTreeMap<String, Row>,
    not_stated: Row,
    others: Row,
}

impl Dimension {
    pub(super) fn add(&mut self, name: Option<&str>, ruled: Ruled) {
        let row = match name {
            None => &mut self.not_stated,
            Some(name) if !self.names.contains_key(name) && self.names.len() == MOST_NAMES => {
                &mut self.others
            }
            Some(name) => self.names.entry(name.to_owned()).or_default(),
        };
        row.add(ruled);
    }

    pub(super) fn widen(&mut self, calendar: &Calendar) {
        for row in self.names.values_mut().chain([&mut self.not_stated, &mut self.others]) {
            row.widen(calendar.width);
        }
    }

    /// The most frequent, and all the rest as others.
    pub(super) fn top(&self, most: usize) -> Vec<(Name, Row)> {
        let named = self.names.iter().map(|(name, row)| (Name::Named(name.clone()), row.clone()));
        let mut rows: Vec<(Name, Row)> = named.collect();
        if self.not_stated.all() > 0 {
            rows.push((Name::NotStated, self.not_stated.clone()));
        }
        rows.sort_by_key(|(_, row)| Reverse(row.all()));
        let mut others = self.others.clone();
        for (_, row) in rows.iter().skip(most) {
            others.absorb(row);
        }
        rows.truncate(most);
        if others.all() > 0 {
            rows.push((Name::Others, others));
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::super::calendar::Calendar;
    use super::{Dimension, MOST_NAMES, Name, Ruled, Verdict};

    #[test]
    fn what_is_not_shown_by_name_is_among_the_others() {
        let mut dimension = Dimension::default();
        let ruled = |verdict, start| Ruled { verdict, start };
        for name in 0..MOST_NAMES + 10 {
            dimension.add(Some(&format!("n{name}")), ruled(Verdict::Allow, 1));
        }
        dimension.add(Some("n3"), ruled(Verdict::Deny, 2));
        dimension.add(None, ruled(Verdict::Deny, 30));
        dimension.add(None, ruled(Verdict::Deny, 31));
        dimension.add(None, ruled(Verdict::Deny, 31));
        let top = dimension.top(2);
        let names: Vec<(&Name, u64)> = top.iter().map(|(name, row)| (name, row.all())).collect();
        let n3 = Name::Named("n3".to_owned());
        assert_eq!(names, [(&Name::NotStated, 3), (&n3, 2), (&Name::Others, 1_009)]);

        let mut calendar = Calendar::default();
        calendar.cover(1);
        assert!(calendar.cover(100));
        dimension.widen(&calendar);
        let (_, not_stated) = &dimension.top(2)[0];
        assert_eq!((not_stated.at(24), not_stated.at(30), not_stated.of(Verdict::Deny)), (3, 0, 3));
    }
}
