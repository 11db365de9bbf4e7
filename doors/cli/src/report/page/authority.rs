//! What gave more authority: policies and people.

use super::super::block::Cell;
use super::super::figures::Figures;
use super::{Page, count};

impl Page {
    pub(super) fn policies(&mut self, figures: &Figures) {
        self.part("Policy changes that add authority");
        let others = figures.n_other_policies;
        if figures.risky_policies.all == 0 {
            self.text("No policy with medium or high risk was put in force.");
        } else {
            self.text(format!(
                "{} put in force; without a review on record: {}.",
                count(
                    figures.risky_policies.all,
                    "policy that adds authority was",
                    "policies that add authority were"
                ),
                figures.n_reviews_missing
            ));
            let head = ["time", "risk", "policy", "review", "by"];
            self.listed("Policies that add authority", &head, &figures.risky_policies, |line| {
                let review = match &*line.review {
                    "" => Cell::ours("NO REVIEW"),
                    review => Cell::theirs(review),
                };
                vec![
                    Cell::ours(&line.at),
                    Cell::theirs(&line.risk),
                    Cell::theirs(&line.policy),
                    review,
                    Cell::theirs(&line.by),
                ]
            });
        }
        self.text(format!(
            "Beside them, {} put in force.",
            count(others, "policy that adds none was", "policies that add none were")
        ));
    }

    pub(super) fn approvals(&mut self, figures: &Figures) {
        self.part("Approvals");
        if figures.approvals.all == 0 {
            return self.text("No person agreed to a call.");
        }
        self.text(format!("{} on record.", count(figures.approvals.all, "approval is", "approvals are")));
        self.counts("Approvals by approver", "approver", &figures.approvers);
        let head = ["time", "approver", "call", "approval"];
        self.listed("Approvals", &head, &figures.approvals, |line| {
            vec![
                Cell::ours(&line.at),
                Cell::theirs(&line.approver),
                Cell::theirs(&line.call),
                Cell::theirs(&line.approval),
            ]
        });
    }
}
