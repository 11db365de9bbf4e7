//! A yes that holds for a while: what it covers, and never more.

use call::{Effects, Moment, SessionId, Sha256, ToolName};

use crate::approval::{Answer, Approval};
use crate::approvers::Approvers;
use crate::principal::Principal;
use crate::rules::Rules;
use crate::scope::{Extent, Scope};
use crate::settle::Signed;
use crate::signature::{Signer, verify};

/// A grant that enough people signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Digest of the first record that gave it, which is its name.
    pub digest: Sha256,
    /// The tool.
    pub tool: ToolName,
    /// What calls may do.
    pub extents: Vec<Extent>,
    /// The session.
    pub session: SessionId,
    /// The policy under which it was given.
    pub policy: Sha256,
    /// The definition that the tool had.
    pub definition: Sha256,
    /// From when on it counts no more.
    pub until: Moment,
    /// Who gave it.
    pub approvers: Vec<Principal>,
}

/// Why a grant does not speak of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotCovered {
    /// Another tool.
    #[error("the grant is for another tool")]
    Tool,
    /// Another session.
    #[error("the grant is for another session")]
    Session,
    /// It is over.
    #[error("the grant has expired")]
    Expired,
    /// The policy is another one now.
    #[error("the policy was changed after the grant")]
    Policy,
    /// The tool is another one now.
    #[error("the tool was changed after the grant")]
    Definition,
    /// The call does more.
    #[error("the call does more than was granted")]
    More,
}

impl Grant {
    /// The first grant that enough of these people gave, word for word the same and for the same question.
    /// Whoever calls this has checked their signatures, and that each person is there once.
    pub(crate) fn common(answers: &[(&Approval, &Signer)], rules: &Rules) -> Option<Self> {
        let need = usize::try_from(rules.quorum()).ok()?;
        answers.iter().find_map(|(approval, _)| {
            let (tool, extents, session, until) = match &approval.scope {
                Scope::Once => return None,
                Scope::Grant { tool, extents, session, until } => (tool, extents, session, until),
            };
            let same = |other: &&(&Approval, &Signer)| {
                other.0.scope == approval.scope && other.0.binding == approval.binding
            };
            let approvers: Vec<Principal> =
                answers.iter().filter(same).map(|(_, signer)| signer.principal.clone()).collect();
            (*tool == approval.binding.tool && approvers.len() >= need).then(|| Self {
                digest: approval.digest(),
                tool: tool.clone(),
                extents: extents.clone(),
                session: session.clone(),
                policy: approval.binding.policy,
                definition: approval.binding.definition,
                until: (*until).min(approval.at.later_by(rules.grant_holds_seconds)),
                approvers,
            })
        })
    }

    /// The grant that these answers give, if their signatures count now and enough people give the same.
    #[must_use]
    pub fn verified(answers: &[Signed], rules: &Rules, approvers: &Approvers, now: Moment) -> Option<Self> {
        let verified = |signed: &Signed| verify(&signed.text, &signed.signature, approvers, now).ok();
        let mut people: Vec<(Approval, Signer)> = Vec::new();
        for (approval, signer) in answers.iter().filter_map(verified) {
            let known = people.iter().any(|(_, other)| other.is_same_person(&signer));
            if approval.answer == Answer::Approve && !known {
                people.push((approval, signer));
            }
        }
        let people: Vec<(&Approval, &Signer)> =
            people.iter().map(|(approval, signer)| (approval, signer)).collect();
        Self::common(&people, rules)
    }

    /// Whether a call needs no answer of its own.
    ///
    /// # Errors
    /// When it does, with the reason.
    pub fn covers(
        &self,
        tool: &ToolName,
        effects: &Effects,
        session: &SessionId,
        policy: Sha256,
        definition: Sha256,
        now: Moment,
    ) -> Result<(), NotCovered> {
        let all = || effects.iter().all(|effect| self.extents.iter().any(|extent| extent.covers(effect)));
        let not = |is: bool, why: NotCovered| if is { Ok(()) } else { Err(why) };
        not(self.tool == *tool, NotCovered::Tool)?;
        not(self.session == *session, NotCovered::Session)?;
        not(now < self.until, NotCovered::Expired)?;
        not(self.policy == policy, NotCovered::Policy)?;
        not(self.definition == definition, NotCovered::Definition)?;
        not(all(), NotCovered::More)
    }
}
