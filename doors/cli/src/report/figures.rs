//! What happened in a period: one pass over the entries, in memory that does not grow with them.
//!
//! An entry belongs to the period in which it was written. A call is denied when its end says so, or when
//! policy had denied it and its end says something else.

use std::collections::BTreeSet;

use call::Moment;
use record::Entry;
use serde_json::Value;

use super::calendar::{Calendar, hour_of};
use super::counts::{Counts, Newest};
use super::dimension::{Dimension, Ruled, Verdict};
use super::event::{CallLine, Fields, Kept, clock};

/// From one moment to before another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Period {
    pub(crate) since: Option<Moment>,
    pub(crate) until: Option<Moment>,
}

impl Period {
    fn holds(&self, at: Moment) -> bool {
        self.since.is_none_or(|since| at >= since) && self.until.is_none_or(|until| at < until)
    }
}

/// A policy that adds authority.
#[derive(Clone, Debug)]
pub(super) struct PolicyLine {
    pub(super) at: String,
    pub(super) risk: String,
    pub(super) policy: String,
    pub(super) review: String,
    pub(super) by: String,
}

/// A person's yes.
#[derive(Clone, Debug)]
pub(super) struct ApprovalLine {
    pub(super) at: String,
    pub(super) call: String,
    pub(super) approver: String,
    pub(super) approval: String,
}

/// A checkpoint that somebody keeps.
#[derive(Clone, Debug)]
pub(super) struct WitnessLine {
    pub(super) at: String,
    pub(super) witness: String,
    pub(super) size: u64,
    pub(super) root: String,
}

/// Content that is gone.
#[derive(Clone, Debug)]
pub(super) struct RemovedLine {
    pub(super) at: String,
    pub(super) blob: String,
    pub(super) why: String,
}

/// Everything that a report says about the entries.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
    pub(super) period: Period,
    /// The first and the last moment of entries in the period.
    pub(super) covered: Option<(Moment, Moment)>,
    pub(super) n_entries: u64,
    /// Entries that are no events, wherever they lie.
    pub(super) n_unreadable: u64,
    pub(super) n_asked: u64,
    pub(super) n_succeeded: u64,
    /// Calls of the whole log.
    ever_asked: u64,
    ever_ended: u64,

    pub(super) denials: Newest<CallLine>,
    pub(super) denial_reasons: Counts,
    /// Calls that were not denied, and did what they should not.
    pub(super) violations: Newest<CallLine>,
    pub(super) failures: Newest<CallLine>,
    pub(super) failure_classes: Counts,
    pub(super) risky_policies: Newest<PolicyLine>,
    pub(super) n_reviews_missing: u64,
    pub(super) n_other_policies: u64,
    pub(super) approvals: Newest<ApprovalLine>,
    pub(super) approvers: Counts,

    pub(super) n_ruled: u64,
    pub(super) calendar: Calendar,
    pub(super) by_verdict: Dimension,
    pub(super) by_class: Dimension,
    pub(super) by_agent: Dimension,
    pub(super) by_tool: Dimension,

    pub(super) flags_of_rulings: Counts,
    pub(super) flags_of_ends: Counts,
    pub(super) n_starts: u64,
    /// When a gate recovered, and how many calls it found.
    pub(super) recoveries: Newest<(String, u64)>,
    pub(super) witnessed: Newest<WitnessLine>,
    pub(super) removed: Newest<RemovedLine>,
}

impl Figures {
    pub(crate) fn new(period: Period) -> Self {
        Self { period, ..Self::default() }
    }

    /// One more entry.
    pub(crate) fn take(&mut self, entry: &Entry, kept: &mut Kept<'_>) {
        let read = entry.header().and_then(|header| Some((header.at.parse::<Moment>().ok()?, header)));
        let Some((at, header)) = read else {
            self.n_unreadable += 1;
            return;
        };
        let (asked, ended) = (header.event == "asked", header.is_terminal());
        self.ever_asked += u64::from(asked);
        self.ever_ended += u64::from(ended);
        if !self.period.holds(at) {
            return;
        }
        self.n_entries += 1;
        let (first, last) = self.covered.unwrap_or((at, at));
        self.covered = Some((first.min(at), last.max(at)));
        let mut fields = || Fields::of(entry, kept);
        match &*header.event {
            "asked" => self.n_asked += 1,
            "ruled" => self.ruled(&fields(), at),
            "refused" | "outcome" => self.ended(&fields(), at),
            "approved" => self.approved(&fields(), at),
            "policy_applied" => self.policy_applied(&fields(), at),
            "gate_started" => self.n_starts += 1,
            "gate_recovered" => {
                let interrupted = fields().list("interrupted").count() as u64;
                self.recoveries.push((clock(at), interrupted));
            }
            "checkpoint_witnessed" => self.witnessed(&fields(), at),
            "blob_removed" => {
                let fields = fields();
                let (blob, why) = (fields.said("blob"), fields.said("why"));
                self.removed.push(RemovedLine { at: clock(at), blob, why });
            }
            // Announcements and files: nothing of them is counted.
            _ => {}
        }
    }

    /// Entries that should be there and are not.
    pub(crate) const fn miss(&mut self, count: u64) {
        self.n_unreadable += count;
    }

    /// How many calls of the whole log have no end yet.
    pub(super) const fn n_open(&self) -> u64 {
        self.ever_asked.saturating_sub(self.ever_ended)
    }

    fn ruled(&mut self, fields: &Fields, at: Moment) {
        self.n_ruled += 1;
        let hour = hour_of(at.microseconds());
        if self.calendar.cover(hour) {
            let calendar = self.calendar;
            for dimension in [&mut self.by_verdict, &mut self.by_class, &mut self.by_agent, &mut self.by_tool]
            {
                dimension.widen(&calendar);
            }
        }
        let verdict = Verdict::of(fields.text("verdict"));
        let ruled = Ruled { verdict, start: self.calendar.width.start(hour) };
        self.by_verdict.add(Some(verdict.as_str()), ruled);
        let classes = classes(fields);
        for class in &classes {
            self.by_class.add(Some(class), ruled);
        }
        if classes.is_empty() {
            self.by_class.add(None, ruled);
        }
        self.by_agent.add(fields.name("agent").as_deref(), ruled);
        self.by_tool.add(fields.name("tool").as_deref(), ruled);
        fields.flags().iter().for_each(|flag| self.flags_of_rulings.add(flag));
    }

    fn ended(&mut self, fields: &Fields, at: Moment) {
        let line = CallLine::ended(fields, at);
        line.flags.iter().for_each(|flag| self.flags_of_ends.add(flag));
        if line.status == "denied" || line.decision == "deny" {
            if line.reasons.is_empty() {
                self.denial_reasons.add("not stated");
            }
            let reasons: BTreeSet<&String> = line.reasons.iter().collect();
            reasons.into_iter().for_each(|reason| self.denial_reasons.add(reason));
            return self.denials.push(line);
        }
        if line.flags.iter().any(|flag| is_violation(flag)) {
            self.violations.push(line.clone());
        }
        if line.status == "success" {
            self.n_succeeded += 1;
            return;
        }
        let class = if line.error_class.is_empty() { &line.status } else { &line.error_class };
        self.failure_classes.add(class);
        self.failures.push(line);
    }

    fn approved(&mut self, fields: &Fields, at: Moment) {
        let approver = fields.said("approver");
        self.approvers.add(&approver);
        let call = fields.name("call").unwrap_or_default();
        self.approvals.push(ApprovalLine {
            at: clock(at),
            call,
            approver,
            approval: fields.said("approval"),
        });
    }

    fn policy_applied(&mut self, fields: &Fields, at: Moment) {
        // A word that is not known counts as a risk.
        if matches!(fields.text("risk"), "" | "low") {
            self.n_other_policies += 1;
            return;
        }
        let line = PolicyLine {
            at: clock(at),
            risk: fields.name("risk").unwrap_or_default(),
            policy: fields.said("policy"),
            review: fields.said("review"),
            by: fields.said("by"),
        };
        self.n_reviews_missing += u64::from(line.review.is_empty());
        self.risky_policies.push(line);
    }

    fn witnessed(&mut self, fields: &Fields, at: Moment) {
        self.witnessed.push(WitnessLine {
            at: clock(at),
            witness: fields.said("witness"),
            size: fields.number("size"),
            root: fields.said("root"),
        });
    }
}

/// What a call would do, in one word for each kind; nothing when that is not on record.
fn classes(fields: &Fields) -> BTreeSet<String> {
    const KNOWN: [&str; 12] = [
        "read",
        "write",
        "delete",
        "run",
        "network",
        "secret",
        "query",
        "memory",
        "repository",
        "status",
        "nothing",
        "unknown",
    ];
    let kinds = fields.list("effects").filter_map(|effect| effect.get("effect").and_then(Value::as_str));
    kinds.map(|kind| if KNOWN.contains(&kind) { kind } else { "other" }.to_owned()).collect()
}

/// Flags that say nothing about what the call tried. All others do, also those of later versions.
fn is_violation(flag: &str) -> bool {
    !matches!(
        flag,
        "timeout"
            | "high_risk_approved"
            | "secret_redacted"
            | "RISK_TIER_HIGH"
            | "RISK_TIER_CRITICAL"
            | "EXECUTION_ERROR"
    )
}

#[cfg(test)]
pub(super) mod tests {
    use record::Entry;
    use serde_json::{Value, json};

    use super::super::dimension::Name;
    use super::{CallLine, Figures, Period, Verdict};

    /// The figures of these events, one a second.
    pub(in super::super) fn figures(period: Period, events: &[Value]) -> Figures {
        let mut figures = Figures::new(period);
        for entry in entries(events) {
            figures.take(&entry, &mut |digest| (digest == "abc").then(moved));
        }
        figures
    }

    pub(in super::super) fn entries(events: &[Value]) -> Vec<Entry> {
        let entry = |(place, event): (usize, &Value)| {
            let mut event = event.clone();
            if event.is_object() && event.get("at").is_none() {
                event["at"] = format!("2026-02-09T16:05:{:02}.000000Z", place % 60).into();
            }
            Entry { place: place as u64, leaf: event.to_string().into_bytes() }
        };
        events.iter().enumerate().map(entry).collect()
    }

    fn moved() -> serde_json::Map<String, Value> {
        let Value::Object(moved) =
            json!({ "effects": [{ "effect": "query" }], "agent": "mallory", "tool": "db" })
        else {
            unreachable!()
        };
        moved
    }

    fn end(status: &str, decision: &str, error_class: &str, flags: &[&str]) -> Value {
        json!({
            "event": "outcome", "call": "c", "agent": "a", "tool": "t", "result_status": status,
            "decision": decision, "error_class": error_class, "risk_flags": flags,
        })
    }

    #[test]
    fn every_end_is_where_it_belongs() {
        let cases = [
            // an end -> denied, flagged, failed, succeeded
            (end("success", "allow", "", &[]), (0, 0, 0, 1)),
            (end("success", "allow", "", &["secret_redacted", "high_risk_approved"]), (0, 0, 0, 1)),
            (end("success", "allow", "", &["sandbox_violation"]), (0, 1, 0, 1)),
            (end("success", "allow", "", &["a_flag_of_later"]), (0, 1, 0, 1)),
            (end("denied", "deny", "path_denied", &["denial:path_denied"]), (1, 0, 0, 0)),
            (end("denied", "needs_approval", "rejected", &[]), (1, 0, 0, 0)),
            (end("error", "deny", "interrupted", &["EXECUTION_ERROR"]), (1, 0, 0, 0)),
            (end("error", "allow", "interrupted", &["EXECUTION_ERROR"]), (0, 0, 1, 0)),
            (end("timeout", "allow", "", &["timeout"]), (0, 0, 1, 0)),
            (end("timeout", "allow", "", &["timeout", "network_denied"]), (0, 1, 1, 0)),
            (end("cancelled", "allow", "", &[]), (0, 0, 1, 0)),
            (json!({ "event": "refused" }), (0, 0, 1, 0)),
        ];
        for (event, want) in cases {
            let figures = figures(Period::default(), std::slice::from_ref(&event));
            let Figures { denials, violations, failures, n_succeeded, .. } = &figures;
            assert_eq!((denials.all, violations.all, failures.all, *n_succeeded), want, "{event}");
        }
    }

    #[test]
    fn rulings_are_counted_by_class_once_for_each_kind_of_effect() {
        let ruled = |effects: Value| json!({ "event": "ruled", "verdict": "allow", "effects": effects });
        let cases = [
            (ruled(json!([{ "effect": "read" }, { "effect": "read" }])), "read"),
            (ruled(json!([{ "effect": "read" }, { "effect": "write" }])), "read write"),
            (ruled(json!([{ "effect": "<b>" }, 7])), "other"),
            (ruled(json!([])), "-"),
            (json!({ "event": "ruled" }), "-"),
            (json!({ "event": "ruled", "moved": "abc" }), "query"),
            (json!({ "event": "ruled", "moved": "gone" }), "-"),
        ];
        for (event, want) in cases {
            let figures = figures(Period::default(), std::slice::from_ref(&event));
            let shown = figures.by_class.top(9).into_iter().map(|(name, row)| {
                assert_eq!(row.all(), 1);
                match name {
                    Name::Named(name) => name,
                    Name::NotStated => "-".to_owned(),
                    Name::Others => "others".to_owned(),
                }
            });
            assert_eq!(shown.collect::<Vec<_>>().join(" "), want, "{event}");
        }
    }

    #[test]
    fn what_the_entry_says_stands_against_what_was_moved() {
        let event = json!({ "event": "ruled", "verdict": "deny", "agent": "ada", "moved": "abc" });
        let figures = figures(Period::default(), &[event]);
        let agents: Vec<Name> = figures.by_agent.top(9).into_iter().map(|(name, _)| name).collect();
        assert_eq!(agents, [Name::Named("ada".to_owned())]);
        let (name, row) = &figures.by_tool.top(9)[0];
        assert_eq!((name, row.of(Verdict::Deny)), (&Name::Named("db".to_owned()), 1));
    }

    #[test]
    fn a_period_takes_its_first_moment_and_not_its_last() {
        let events: Vec<Value> = (0..5).map(|_| json!({ "event": "asked", "call": "c" })).collect();
        let moment = |second: u32| format!("2026-02-09T16:05:{second:02}Z").parse().unwrap();
        let cases = [
            (None, None, 5),
            (Some(0), Some(5), 5),
            (Some(1), None, 4),
            (None, Some(4), 4),
            (Some(1), Some(2), 1),
            (Some(9), None, 0),
        ];
        for (since, until, want) in cases {
            let period = Period { since: since.map(moment), until: until.map(moment) };
            let figures = figures(period, &events);
            assert_eq!((figures.n_asked, figures.n_entries, figures.n_open()), (want, want, 5), "{period:?}");
        }
    }

    #[test]
    fn entries_that_are_no_events_are_counted_and_nothing_else() {
        let events = [
            json!(7),
            json!({ "event": "asked", "at": "yesterday" }),
            json!({ "at": "x" }),
            json!({ "event": 1 }),
            json!({ "event": "ruled", "verdict": "deny", "risk_flags": "x", "reasons": { "a": 1 } }),
        ];
        let figures = figures(Period::default(), &events);
        assert_eq!((figures.n_unreadable, figures.n_entries, figures.n_ruled), (4, 1, 1));
    }

    #[test]
    fn only_a_policy_that_adds_nothing_needs_no_line() {
        let cases = [
            // risk, review -> lines, reviews missing
            (json!(null), json!(null), (0, 0)),
            (json!("low"), json!(null), (0, 0)),
            (json!("medium"), json!("d"), (1, 0)),
            (json!("high"), json!(null), (1, 1)),
            (json!("enormous"), json!(null), (1, 1)),
        ];
        for (risk, review, want) in cases {
            let event = json!({ "event": "policy_applied", "risk": risk, "review": review });
            let figures = figures(Period::default(), &[event]);
            assert_eq!((figures.risky_policies.all, figures.n_reviews_missing), want, "{risk}");
            assert_eq!(figures.n_other_policies, 1 - want.0, "{risk}");
        }
    }

    #[test]
    fn an_open_call_is_what_its_entries_say() {
        let asked = json!({ "event": "asked", "call": "c", "agent": "a", "tool": "t", "purpose": "p" });
        let ruled = json!({
            "event": "ruled", "verdict": "needs_approval",
            "reasons": [{ "code": "approval_required" }], "risk_flags": ["x"],
        });
        let open = |events: &[Value]| CallLine::open(&entries(events));
        let line = open(&[asked.clone(), ruled.clone()]).unwrap();
        let said = (&*line.at, &*line.tool, &*line.decision, line.reasons.len(), line.flags.len());
        assert_eq!(said, ("2026-02-09 16:05:00", "t", "needs_approval", 1, 1));
        assert_eq!(open(&[asked, ruled.clone(), json!({ "event": "refused" })]), None);
        assert_eq!(open(&[ruled]), None);
        assert_eq!(open(&[]), None);
    }

    #[test]
    fn long_texts_are_cut() {
        let long = "x".repeat(70_000);
        let event = json!({
            "event": "refused", "result_status": "denied", "tool": long, "purpose": long,
            "reasons": [{ "code": long }], "risk_flags": vec![long.as_str(); 500],
        });
        let figures = figures(Period::default(), &[event]);
        let line = figures.denials.iter().next().unwrap();
        let lengths =
            [&line.tool, &line.purpose, &line.reasons[0], &line.flags[0]].map(|t| t.chars().count());
        assert_eq!((lengths, line.flags.len()), ([129, 201, 129, 129], 64));
    }
}
