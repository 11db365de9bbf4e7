//! A policy, loaded whole or not at all.

use std::collections::{BTreeMap, BTreeSet};

use call::{Sha256, SkillName, Span};
use cedar_policy::{Effect, Policy as CedarPolicy, PolicyId, PolicySet};

use crate::cedar::{Authority, Index, RuleText, SCHEMA_TEXT, home_rules, organisation_rules, skill_rules};
use crate::entry::PathEntry;
use crate::files::{Ground, PolicyFiles};
use crate::finding::{Notes, PolicyFinding, placed};
use crate::home::Home;
use crate::read::{home, is_manifest_of, json_tree, manifest, text_of, toml_tree};
use crate::rules;
use crate::skill::Skill;

/// Everything that decides about calls.
#[derive(Debug)]
pub struct Policy {
    pub(crate) digest: Sha256,
    pub(crate) home: Home,
    pub(crate) skills: BTreeMap<SkillName, Skill>,
    /// Skills whose manifest has errors: each is denied everything.
    pub(crate) invalid: BTreeSet<SkillName>,
    pub(crate) index: Index,
    pub(crate) rules: Vec<CedarPolicy>,
}

/// What came of loading a policy.
#[derive(Debug)]
pub struct Loaded {
    /// The policy; nothing when `policy.toml` or an organisation policy has an error.
    pub policy: Option<Policy>,
    /// Everything that is wrong with the files, in order of file and place.
    pub findings: Vec<PolicyFinding>,
}

impl Policy {
    /// Reads and compiles the files of a policy.
    ///
    /// An error in `policy.toml` or in an organisation policy leaves no policy at all; one in a
    /// manifest denies the skill.
    pub fn load(files: &PolicyFiles, ground: &impl Ground) -> Loaded {
        let mut findings = Vec::new();
        let policy = load(files, ground, &mut findings);
        Loaded { policy, findings: placed(findings, files) }
    }

    /// The digest of the files that it was loaded from.
    #[must_use]
    pub const fn digest(&self) -> Sha256 {
        self.digest
    }

    /// What the home says.
    #[must_use]
    pub const fn home(&self) -> &Home {
        &self.home
    }

    /// The skills with a valid manifest.
    pub fn skills(&self) -> impl Iterator<Item = &Skill> {
        self.skills.values()
    }

    /// Everything as Cedar: the schema as comments' neighbour, and every rule.
    #[must_use]
    pub fn cedar(&self) -> String {
        let rules: Vec<String> = self.rules.iter().map(ToString::to_string).collect();
        rules.join("\n")
    }

    /// The schema that organisation policies are held to.
    #[must_use]
    pub const fn cedar_schema() -> &'static str {
        SCHEMA_TEXT
    }

    /// The organisation's own rules: whether each allows, and its text.
    pub(crate) fn organisation_rules(&self) -> Vec<(bool, String)> {
        let own = self.rules.iter().filter(|rule| rule.id().to_string().starts_with("policies/"));
        own.map(|rule| (rule.effect() == Effect::Permit, rule.to_string())).collect()
    }
}

fn load(files: &PolicyFiles, ground: &impl Ground, findings: &mut Vec<PolicyFinding>) -> Option<Policy> {
    let home = load_home(files, ground, findings);
    let (skills, invalid) = load_skills(files, ground, findings);
    if let Some(home) = &home {
        for skill in skills.values() {
            note_useless(home, skill, findings);
        }
    }
    let organisation = load_organisation(files, findings);
    let (home, organisation) = (home?, organisation?);
    let mut texts = home_rules(&home, &Authority::Home.entity());
    for skill in skills.values() {
        let authority = Authority::Skill(skill.name.to_string());
        texts.extend(skill_rules(skill, &authority.entity()));
    }
    let mut rules = compile(&texts, findings)?;
    rules.extend(organisation);
    let Some(index) = Index::new(rules.iter().cloned()) else {
        let mut notes = Notes::on("policy.toml", findings);
        let message = "the rules cannot be put together: a glob is too large, or an id is given twice";
        notes.add(&rules::POLICY_SYNTAX, Span::at(0), message, "");
        return None;
    };
    Some(Policy { digest: files.digest(), home, skills, invalid, index, rules })
}

fn load_home(files: &PolicyFiles, ground: &impl Ground, findings: &mut Vec<PolicyFinding>) -> Option<Home> {
    let mut notes = Notes::on("policy.toml", findings);
    let Some(bytes) = files.0.get("policy.toml") else {
        notes.add(
            &rules::MISSING_KEY,
            Span::at(0),
            "there is no `policy.toml`",
            "make one with `toolgate init`",
        );
        return None;
    };
    let text = text_of(bytes, &mut notes)?;
    let tree = toml_tree(text, &mut notes)?;
    home(&tree, ground, &mut notes)
}

type Skills = (BTreeMap<SkillName, Skill>, BTreeSet<SkillName>);

fn load_skills(files: &PolicyFiles, ground: &impl Ground, findings: &mut Vec<PolicyFinding>) -> Skills {
    let (mut skills, mut invalid) = (BTreeMap::new(), BTreeSet::new());
    for (file, bytes) in &files.0 {
        let Some(folder) = is_manifest_of(file) else { continue };
        let mut notes = Notes::on(file, findings);
        let tree = text_of(bytes, &mut notes).and_then(|text| json_tree(text, &mut notes));
        let skill = tree.and_then(|tree| manifest(&tree, folder, ground, &mut notes));
        match (skill, folder.parse::<SkillName>()) {
            (Some(skill), _) => drop(skills.insert(skill.name.clone(), skill)),
            (None, Ok(name)) => drop(invalid.insert(name)),
            // Nobody can name such a skill, so nothing has to be denied.
            (None, Err(_)) => {}
        }
    }
    (skills, invalid)
}

fn load_organisation(files: &PolicyFiles, findings: &mut Vec<PolicyFinding>) -> Option<Vec<CedarPolicy>> {
    let mut all = Some(Vec::new());
    for stray in files.0.keys().filter(|name| name.starts_with("policies/") && !PolicyFiles::has(name)) {
        let mut notes = Notes::on(stray, findings);
        let hint = "name it `*.cedar`, directly in `policies`, or put it elsewhere";
        notes.add(&rules::CEDAR_NOT_READ, Span::at(0), "this is not read, and forbids nothing", hint);
        all = None;
    }
    for (file, bytes) in
        files.0.iter().filter(|(file, _)| file.starts_with("policies/") && PolicyFiles::has(file))
    {
        let mut notes = Notes::on(file, findings);
        let read = text_of(bytes, &mut notes).and_then(|text| organisation_rules(file, text, &mut notes));
        // One bad file spoils them all: what it would have forbidden is not known.
        all = match (all, read) {
            (Some(mut all), Some(read)) => {
                all.extend(read);
                Some(all)
            }
            (Some(_) | None, None) | (None, Some(_)) => None,
        };
    }
    all
}

/// Cedar of our own making. That it parses is tested; where it does not, there is no policy.
fn compile(texts: &[RuleText], findings: &mut Vec<PolicyFinding>) -> Option<Vec<CedarPolicy>> {
    if let Some(compiled) = compile_together(texts) {
        return Some(compiled);
    }
    // One by one it can be said which of them it is.
    let mut compiled = Vec::with_capacity(texts.len());
    for rule in texts {
        match CedarPolicy::parse(Some(PolicyId::new(&rule.id)), rule.text()) {
            Ok(policy) => compiled.push(policy),
            Err(error) => {
                let mut notes = Notes::on("policy.toml", findings);
                let message = format!("the rule `{}` cannot be compiled: {error}", rule.id);
                notes.add(&rules::POLICY_SYNTAX, Span::at(0), message, "");
                return None;
            }
        }
    }
    Some(compiled)
}

/// All rules in one go: Cedar's lexer makes its tables anew for every text, which takes longer than to read
/// a rule. Nothing comes back unless there is exactly one for each text, in order.
fn compile_together(texts: &[RuleText]) -> Option<Vec<CedarPolicy>> {
    let all: String = texts.iter().map(RuleText::text).collect();
    let set: PolicySet = all.parse().ok()?;
    if set.num_of_policies() != texts.len() || set.num_of_templates() > 0 {
        return None;
    }
    let own = |(place, rule): (usize, &RuleText)| {
        let policy = set.policy(&PolicyId::new(format!("policy{place}")))?;
        let named = policy.annotations().any(|(name, value)| name == "id" && value == rule.id);
        named.then(|| policy.new_id(PolicyId::new(&rule.id)))
    };
    texts.iter().enumerate().map(own).collect()
}

/// Entries of a skill that nothing can come of, because something else always refuses it.
fn note_useless(home: &Home, skill: &Skill, findings: &mut Vec<PolicyFinding>) {
    let file = format!("skills/{}/PERMISSIONS.json", skill.name);
    let mut notes = Notes::on(&file, findings);
    let lists = [("read_paths", &skill.read_paths), ("write_paths", &skill.write_paths)];
    for (key, entry) in lists.into_iter().flat_map(|(key, list)| list.iter().map(move |entry| (key, entry))) {
        let Some(folder) = entry.folder() else { continue };
        let meets = |root: &PathEntry| {
            root.allows(folder) || root.folder().is_some_and(|root| root.is_within(folder))
        };
        if !home.allowed_roots.iter().any(meets) {
            let message = format!("`{entry}` in `filesystem.{key}` lies outside every root of the home");
            notes.add(
                &rules::OUTSIDE_CEILING,
                entry.at,
                message,
                "remove it, or add the root to `policy.toml`",
            );
        } else if let Some(denied) =
            skill.deny_paths.iter().chain(&home.deny).find(|denied| denied.denies(folder))
        {
            let message =
                format!("`{entry}` in `filesystem.{key}` can never match: `{denied}` denies all of it");
            notes.add(&rules::NEVER_MATCHES, entry.at, message, "remove one of them");
        }
    }
    if skill.network.enabled && !home.network.enabled {
        let message = "the skill has network, and `policy.toml` has it disabled";
        notes.add(&rules::OUTSIDE_CEILING, Span::at(0), message, "enable it there too, or remove it here");
    }
}

#[cfg(test)]
mod tests {
    use call::ReasonCode;

    use super::{compile, compile_together};
    use crate::cedar::{Authority, RuleText};

    fn rules(ids: &[&str]) -> Vec<RuleText> {
        let own = |id: &&str| {
            let rule =
                RuleText::forbid(*id, &Authority::Home.entity(), &["read"], &ReasonCode::APPROVAL_REQUIRED);
            rule.unless("context.approved")
                .remedy(format!("see `{id}`; permit (principal, action, resource);"))
        };
        ids.iter().map(own).collect()
    }

    #[test]
    fn rules_read_together_are_those_read_one_by_one() {
        let texts = rules(&["a", "policy2", "policy.toml#deny[3]", "\"; permit", "ü\n", "z"]);
        let together = compile_together(&texts).unwrap();
        assert_eq!(together.len(), texts.len());
        for (rule, text) in together.iter().zip(&texts) {
            let alone = cedar_policy::Policy::parse(Some(rule.id().clone()), text.text()).unwrap();
            assert_eq!(*rule.id(), cedar_policy::PolicyId::new(&text.id));
            assert_eq!(rule.to_json().unwrap(), alone.to_json().unwrap());
            assert_eq!(rule.to_string().trim(), alone.to_string().trim());
        }
    }

    #[test]
    fn a_rule_that_cannot_be_read_is_named_and_one_that_is_two_is_none() {
        for condition in ["context.approved ==", "true }; permit (principal, action, resource) when { true"] {
            let mut texts = rules(&["a", "b"]);
            texts.push(rules(&["c"]).remove(0).when(condition));
            assert!(compile_together(&texts).is_none());
            let mut findings = Vec::new();
            assert!(compile(&texts, &mut findings).is_none());
            assert!(
                findings.iter().any(|finding| format!("{finding:?}").contains("the rule `c`")),
                "{findings:?}"
            );
        }
    }
}
