//! Tokens that can be told by how they begin.

use std::borrow::Cow;

use call::Span;

use super::stand_in;

/// How the tokens of one kind look: a prefix, then so many characters of an alphabet.
pub(super) struct Shape {
    pub(super) kind: &'static str,
    pub(super) prefix: &'static str,
    alphabet: Alphabet,
    shortest: usize,
    longest: usize,
}

/// What a token is written with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alphabet {
    /// Hexadecimal digits.
    Hex,
    /// Hexadecimal digits and hyphens.
    Uuid,
    /// Capital letters and digits.
    Upper,
    /// Letters and digits.
    Alnum,
    /// Letters, digits, `-` and `_`.
    Url,
    /// Letters, digits, `-`, `_` and `.`.
    Dotted,
    /// Letters, digits, `+`, `/`, `=`, and `%` for when those are percent-encoded.
    Base64,
}

use Alphabet::{Alnum, Base64, Dotted, Hex, Upper, Url, Uuid};

const fn shape(
    kind: &'static str,
    prefix: &'static str,
    alphabet: Alphabet,
    shortest: usize,
    longest: usize,
) -> Shape {
    Shape { kind, prefix, alphabet, shortest, longest }
}

/// Token shapes by provider. Lengths are those of real tokens, with some slack below for formats
/// that have changed over the years.
#[rustfmt::skip]
pub(super) const SHAPES: &[Shape] = &[
    //    kind                   prefix                     alphabet  length
    shape("aws_access_key",      "AKIA",                    Upper,    16, 20),
    shape("aws_access_key",      "ASIA",                    Upper,    16, 20),
    shape("aws_access_key",      "ABIA",                    Upper,    16, 20),
    shape("aws_access_key",      "ACCA",                    Upper,    16, 20),
    shape("github_token",        "ghp_",                    Alnum,    20, 255),
    shape("github_token",        "gho_",                    Alnum,    20, 255),
    shape("github_token",        "ghu_",                    Alnum,    20, 255),
    shape("github_token",        "ghs_",                    Alnum,    20, 255),
    shape("github_token",        "ghr_",                    Alnum,    20, 255),
    shape("github_token",        "github_pat_",             Url,      22, 255),
    shape("gitlab_token",        "glpat-",                  Dotted,   18, 300),
    shape("gitlab_token",        "gldt-",                   Dotted,   18, 300),
    shape("gitlab_token",        "glrt-",                   Dotted,   18, 300),
    shape("gitlab_token",        "glptt-",                  Dotted,   18, 300),
    shape("gitlab_token",        "glcbt-",                  Dotted,   18, 300),
    shape("gitlab_token",        "gloas-",                  Dotted,   18, 300),
    shape("gitlab_token",        "glsoat-",                 Dotted,   18, 300),
    shape("gitlab_token",        "glft-",                   Dotted,   18, 300),
    shape("gitlab_token",        "glimt-",                  Dotted,   18, 300),
    shape("gitlab_token",        "glagent-",                Dotted,   18, 300),
    shape("gitlab_token",        "GR1348941",               Url,      18, 60),
    shape("bitbucket_token",     "ATBB",                    Alnum,    24, 60),
    shape("atlassian_token",     "ATATT3",                  Base64,   40, 400),
    shape("atlassian_token",     "ATCTT3",                  Base64,   40, 400),
    shape("slack_token",         "xoxb-",                   Url,      16, 255),
    shape("slack_token",         "xoxp-",                   Url,      16, 255),
    shape("slack_token",         "xoxa-",                   Url,      16, 255),
    shape("slack_token",         "xoxr-",                   Url,      16, 255),
    shape("slack_token",         "xoxs-",                   Url,      16, 255),
    shape("slack_token",         "xoxc-",                   Url,      16, 255),
    shape("slack_token",         "xoxd-",                   Base64,   16, 400),
    shape("slack_token",         "xoxe-",                   Url,      16, 255),
    shape("slack_token",         "xoxe.",                   Dotted,   16, 255),
    shape("slack_token",         "xapp-",                   Url,      16, 255),
    shape("slack_webhook",       "hooks.slack.com/services/", Base64, 24, 120),
    shape("slack_webhook",       "hooks.slack.com/workflows/", Base64, 24, 120),
    shape("discord_webhook",     "discord.com/api/webhooks/", Base64, 40, 200),
    shape("discord_webhook",     "discordapp.com/api/webhooks/", Base64, 40, 200),
    shape("teams_webhook",       "webhook.office.com/webhookb2/", Uuid, 32, 200),
    shape("stripe_key",          "sk_live_",                Alnum,    16, 255),
    shape("stripe_key",          "rk_live_",                Alnum,    16, 255),
    shape("stripe_key",          "sk_test_",                Alnum,    16, 255),
    shape("stripe_key",          "rk_test_",                Alnum,    16, 255),
    shape("stripe_key",          "whsec_",                  Base64,   20, 120),
    shape("google_key",          "AIza",                    Url,      30, 45),
    shape("google_secret",       "GOCSPX-",                 Url,      20, 60),
    shape("google_token",        "ya29.",                   Dotted,   20, 2_000),
    shape("google_token",        "1//0",                    Url,      40, 200),
    shape("anthropic_key",       "sk-ant-",                 Url,      20, 255),
    shape("openrouter_key",      "sk-or-",                  Url,      20, 255),
    shape("openai_key",          "sk-proj-",                Url,      20, 255),
    shape("openai_key",          "sk-svcacct-",             Url,      20, 255),
    shape("openai_key",          "sk-admin-",               Url,      20, 255),
    shape("openai_key",          "sk-",                     Alnum,    20, 255),
    shape("langfuse_key",        "sk-lf-",                  Uuid,     36, 36),
    shape("groq_key",            "gsk_",                    Alnum,    24, 120),
    shape("xai_key",             "xai-",                    Alnum,    24, 200),
    shape("huggingface_token",   "hf_",                     Alnum,    24, 60),
    shape("huggingface_token",   "api_org_",                Alnum,    24, 60),
    shape("replicate_token",     "r8_",                     Alnum,    24, 60),
    shape("perplexity_key",      "pplx-",                   Alnum,    24, 80),
    shape("fireworks_key",       "fw_",                     Alnum,    20, 60),
    shape("npm_token",           "npm_",                    Alnum,    24, 60),
    shape("pypi_token",          "pypi-AgE",                Url,      16, 400),
    shape("rubygems_key",        "rubygems_",               Hex,      32, 64),
    shape("cratesio_token",      "cio",                     Alnum,    32, 32),
    shape("docker_token",        "dckr_pat_",               Url,      20, 60),
    shape("docker_token",        "dckr_oat_",               Url,      20, 60),
    shape("digitalocean_token",  "dop_v1_",                 Hex,      32, 64),
    shape("digitalocean_token",  "doo_v1_",                 Hex,      32, 64),
    shape("digitalocean_token",  "dor_v1_",                 Hex,      32, 64),
    shape("heroku_key",          "HRKU-",                   Url,      30, 80),
    shape("sendgrid_key",        "SG.",                     Dotted,   40, 100),
    shape("sendinblue_key",      "xkeysib-",                Url,      40, 120),
    shape("mailgun_key",         "key-",                    Hex,      32, 32),
    shape("twilio_key",          "SK",                      Hex,      32, 32),
    shape("square_token",        "sq0atp-",                 Url,      20, 60),
    shape("square_token",        "sq0csp-",                 Url,      30, 60),
    shape("square_token",        "EAAA",                    Url,      56, 80),
    shape("shopify_token",       "shpat_",                  Hex,      32, 32),
    shape("shopify_token",       "shpca_",                  Hex,      32, 32),
    shape("shopify_token",       "shppa_",                  Hex,      32, 32),
    shape("shopify_token",       "shpss_",                  Hex,      32, 32),
    shape("databricks_token",    "dapi",                    Uuid,     32, 34),
    shape("linear_key",          "lin_api_",                Alnum,    32, 60),
    shape("notion_token",        "ntn_",                    Alnum,    32, 60),
    shape("notion_token",        "secret_",                 Alnum,    43, 43),
    shape("figma_token",         "figd_",                   Url,      30, 60),
    shape("figma_token",         "figo_",                   Url,      30, 60),
    shape("postman_key",         "PMAK-",                   Uuid,     50, 70),
    shape("grafana_token",       "glsa_",                   Url,      32, 60),
    shape("grafana_token",       "glc_",                    Base64,   32, 400),
    shape("vault_token",         "hvs.",                    Url,      20, 300),
    shape("vault_token",         "hvb.",                    Url,      20, 300),
    shape("vault_token",         "hvr.",                    Url,      20, 300),
    shape("vault_token",         "s.",                      Alnum,    24, 24),
    shape("terraform_token",     ".atlasv1.",               Url,      50, 100),
    shape("age_key",             "AGE-SECRET-KEY-1",        Upper,    40, 70),
    shape("azure_key",           "AccountKey=",             Base64,   40, 100),
    shape("azure_key",           "SharedAccessKey=",        Base64,   40, 100),
    shape("azure_sas",           "sig=",                    Base64,   43, 100),
    shape("cloudflare_key",      "v1.0-",                   Url,      120, 200),
    shape("doppler_token",       "dp.pt.",                  Alnum,    36, 60),
    shape("doppler_token",       "dp.st.",                  Dotted,   36, 80),
    shape("doppler_token",       "dp.ct.",                  Alnum,    36, 60),
    shape("doppler_token",       "dp.sa.",                  Alnum,    36, 60),
    shape("fly_token",           "fo1_",                    Url,      30, 60),
    shape("fly_token",           "fm1_",                    Base64,   60, 2_000),
    shape("fly_token",           "fm2_",                    Base64,   60, 2_000),
    shape("supabase_key",        "sbp_",                    Hex,      32, 60),
    shape("supabase_key",        "sb_secret_",              Url,      20, 60),
    shape("planetscale_token",   "pscale_tkn_",             Dotted,   30, 70),
    shape("planetscale_token",   "pscale_pw_",              Dotted,   30, 70),
    shape("planetscale_token",   "pscale_oauth_",           Dotted,   30, 70),
    shape("newrelic_key",        "NRAK-",                   Upper,    24, 30),
    shape("newrelic_key",        "NRII-",                   Url,      28, 40),
    shape("sentry_token",        "sntrys_",                 Base64,   40, 400),
    shape("sentry_token",        "sntryu_",                 Hex,      40, 80),
    shape("dropbox_token",       "sl.",                     Url,      100, 2_000),
    shape("dropbox_token",       "sl.u.",                   Url,      100, 2_000),
    shape("tailscale_key",       "tskey-",                  Url,      20, 120),
    shape("pulumi_token",        "pul-",                    Hex,      40, 40),
    shape("buildkite_token",     "bkua_",                   Hex,      32, 60),
    shape("circleci_token",      "CCIPAT_",                 Url,      30, 100),
    shape("onepassword_token",   "ops_eyJ",                 Base64,   60, 4_000),
    shape("datadog_key",         "ddapp_",                  Alnum,    30, 60),
    shape("airtable_token",      "pat",                     Dotted,   79, 79),
    shape("easypost_key",        "EZAK",                    Alnum,    50, 60),
    shape("duffel_token",        "duffel_live_",            Url,      40, 60),
    shape("facebook_token",      "EAACEdEose0cBA",          Alnum,    20, 400),
    shape("adafruit_key",        "aio_",                    Alnum,    28, 28),
    shape("flutterwave_key",     "FLWSECK-",                Url,      30, 60),
    shape("prefect_token",       "pnu_",                    Alnum,    36, 36),
    shape("readme_key",          "rdme_",                   Alnum,    60, 80),
    shape("scalingo_token",      "tk-us-",                  Url,      40, 60),
    shape("typeform_token",      "tfp_",                    Dotted,   40, 70),
    shape("hubspot_token",       "pat-na1-",                Uuid,     36, 36),
    shape("hubspot_token",       "pat-na2-",                Uuid,     36, 36),
    shape("hubspot_token",       "pat-eu1-",                Uuid,     36, 36),
    shape("netlify_token",       "nfp_",                    Alnum,    36, 60),
    shape("netlify_token",       "nfc_",                    Alnum,    36, 60),
    shape("langsmith_key",       "lsv2_pt_",                Url,      40, 60),
    shape("langsmith_key",       "lsv2_sk_",                Url,      40, 60),
    shape("okta_token",          "SSWS 00",                 Url,      38, 42),
    shape("alibaba_key",         "LTAI5t",                  Alnum,    14, 24),
    shape("alibaba_key",         "LTAI",                    Alnum,    20, 20),
    shape("mapbox_token",        "sk.eyJ",                  Dotted,   60, 200),
    shape("render_key",          "rnd_",                    Alnum,    24, 60),
    shape("sourcegraph_token",   "sgp_",                    Url,      40, 80),
    shape("pinecone_key",        "pcsk_",                   Url,      40, 100),
    shape("contentful_token",    "CFPAT-",                  Url,      36, 60),
    shape("shippo_token",        "shippo_live_",            Hex,      32, 60),
    shape("razorpay_key",        "rzp_live_",               Alnum,    14, 30),
    shape("paypal_token",        "access_token$production$", Dotted,  16, 100),
    shape("plaid_token",         "access-production-",      Uuid,     36, 36),
    shape("nvidia_key",          "nvapi-",                  Url,      40, 80),
    shape("tavily_key",          "tvly-",                   Url,      24, 60),
    shape("artifactory_key",     "AKCp",                    Alnum,    60, 80),
    shape("artifactory_token",   "cmVmdGtuOj",              Alnum,    50, 80),
    shape("yandex_key",          "AQVN",                    Url,      34, 44),
    shape("frameio_token",       "fio-u-",                  Url,      60, 70),
    shape("dynatrace_token",     "dt0c01.",                 Dotted,   80, 100),
    shape("clojars_token",       "CLOJARS_",                Alnum,    60, 60),
    shape("sonar_token",         "sqp_",                    Hex,      40, 40),
    shape("sonar_token",         "sqa_",                    Hex,      40, 40),
    shape("sonar_token",         "squ_",                    Hex,      40, 40),
    shape("honeycomb_key",       "hcaik_",                  Alnum,    50, 70),
    shape("telegram_token",      ":AA",                     Url,      32, 36),
    shape("private_key",         "b3BlbnNzaC1rZXktdjE",     Base64,   40, usize::MAX),
];

impl Shape {
    /// What to search for: the prefix, or when that is very short, the prefix and one more character.
    pub(super) fn beginnings(&self) -> Vec<Cow<'static, str>> {
        if self.prefix.len() > 2 {
            return vec![self.prefix.into()];
        }
        let next = (b'0'..=b'z').filter(|&byte| self.alphabet.holds(byte));
        next.map(|byte| format!("{}{}", self.prefix, char::from(byte)).into()).collect()
    }

    /// Where the token that starts at `start` ends if it is a long one, else `start`. Whoever repeats
    /// the prefix inside a long token would have all of it read again for each.
    pub(super) fn reach(&self, text: &str, start: usize) -> usize {
        const LONG: usize = 512;
        let place = Span::new(start, start + self.prefix.len());
        if self.longest <= LONG || self.start(text.as_bytes(), place).is_none() {
            return start;
        }
        let behind = text.as_bytes().get(start + self.prefix.len()..).unwrap_or_default();
        let holds = |byte: &&u8| self.alphabet.holds(**byte);
        let length = behind.iter().take(self.longest).take_while(holds).count();
        if length > LONG { start + length } else { start }
    }

    /// The token whose prefix stands at `start`, if there is one.
    pub(super) fn find(&self, text: &str, start: usize) -> Option<Span> {
        let place = Span::new(start, start + self.prefix.len());
        let bytes = text.as_bytes();
        let whole = self.start(bytes, place);
        let stuck = whole.is_none();
        let start = whole.or_else(|| self.stands_out(bytes, place).then_some(place.start))?;
        let behind = bytes.get(place.end..)?;
        let holds = |byte: &&u8| self.alphabet.holds(**byte);
        let length = behind.iter().take(self.longest.saturating_add(1)).take_while(holds).count();
        // What ends a sentence does not belong to a token.
        let body = text.get(place.end..place.end + length)?.trim_end_matches(['.', '-']);
        let fits = (self.shortest..=self.longest).contains(&body.len());
        let random = self.alphabet == Upper || stand_in::looks_random(body);
        // In the middle of a word only what nobody thought up.
        let counts = !stuck || matches!(self.alphabet, Hex | Upper) || mixes_all(body.as_bytes());
        (fits && random && counts && !stand_in::is_stand_in(body))
            .then_some(Span::new(start, place.end + body.len()))
    }

    pub(super) const fn is_hex(&self) -> bool {
        matches!(self.alphabet, Hex | Uuid)
    }

    /// What begins at `start` like a token of this kind, and is too short to be one.
    pub(super) fn beginning(&self, text: &str, start: usize) -> Option<Span> {
        let place = Span::new(start, start + self.prefix.len());
        let bytes = text.as_bytes();
        self.start(bytes, place).filter(|&from| from == start)?;
        let holds = |byte: &&u8| self.alphabet.holds(**byte);
        let length = bytes.get(place.end..)?.iter().take(self.shortest).take_while(holds).count();
        let body = text.get(place.end..place.end + length)?;
        // A prefix alone tells only when it is used for nothing else.
        let told = self.prefix.len() >= 4 && self.prefix.ends_with(['_', '-']);
        let mixed = || {
            let capitals = body.bytes().filter(u8::is_ascii_uppercase).count();
            capitals >= 3 && body.bytes().any(|byte| byte.is_ascii_lowercase()) && !stand_in::is_wordy(body)
        };
        let looks_drawn = stand_in::looks_drawn(body) || self.alphabet == Upper || (told && mixed());
        let drawn = body.len() >= 4 && looks_drawn;
        let fits = length < self.shortest && (drawn || (body.is_empty() && told));
        (fits && !stand_in::is_stand_in(body)).then_some(Span::new(start, place.end + length))
    }

    /// Is the prefix known also where letters were stuck to it: `xghp_`? Not where it may be the end of a word
    /// (`monkey-`), nor deep in a run of digits, where every few letters stand somewhere.
    fn stands_out(&self, bytes: &[u8], place: Span) -> bool {
        const FARTHEST: usize = 24;
        let before = bytes.get(..place.start).unwrap_or_default();
        let sign = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-+".contains(byte);
        let near = before.iter().rev().take(FARTHEST).take_while(sign).count() < FARTHEST;
        let marked = self.prefix.ends_with(['_', '-']);
        near && match self.alphabet {
            Alnum | Url | Dotted => marked && self.prefix.len() >= 4,
            Hex => marked && self.prefix.len() >= 6,
            // Capitals begin where small letters end.
            Upper => before.last().is_some_and(u8::is_ascii_lowercase),
            Uuid | Base64 => false,
        }
    }

    /// Where the token begins: at its prefix, unless that is the middle of a word.
    fn start(&self, bytes: &[u8], place: Span) -> Option<usize> {
        let before = bytes.get(..place.start)?;
        let digits = before.iter().rev().take(16).take_while(|byte| byte.is_ascii_alphanumeric()).count();
        match self.kind {
            // The number of the bot, or the name of the token, stands in front.
            "telegram_token" => {
                let run = before.get(before.len() - digits..)?;
                // In an address of its service a word stands in front: `/bot7384910265:…`.
                let number = run.strip_prefix(b"bot").unwrap_or(run);
                let fits = (8..=10).contains(&number.len()) && number.iter().all(u8::is_ascii_digit);
                fits.then_some(place.start - number.len())
            }
            // Anything may be signed; this has a version, a time or rights beside it.
            "azure_sas" => is_shared_access(bytes, place).then_some(place.start),
            "terraform_token" => (digits >= 10).then_some(place.start - digits),
            _ if self.prefix.starts_with(|first: char| first.is_ascii_alphanumeric()) => {
                let glued = digits > 0 || (self.prefix.len() < 4 && before.ends_with(b"_"));
                // A hyphen in front of a short prefix is the middle of a name: `disk-`, `a-sk-`.
                let hyphen =
                    self.prefix.len() < 4 && before.last().is_some_and(|byte| matches!(byte, b'-' | b'.'));
                (!glued && !hyphen).then_some(place.start)
            }
            _ => Some(place.start),
        }
    }
}

/// Capitals, small letters and digits, as drawn characters have them.
fn mixes_all(body: &[u8]) -> bool {
    let count = |is: fn(&u8) -> bool| body.iter().filter(|byte| is(byte)).count();
    count(u8::is_ascii_digit) >= 2 && count(u8::is_ascii_lowercase) >= 4 && count(u8::is_ascii_uppercase) >= 4
}

/// Do the other parameters of a shared access signature stand beside this one?
fn is_shared_access(bytes: &[u8], place: Span) -> bool {
    const FAR: usize = 400;
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'<' | b'>');
    let before = bytes.get(place.start.saturating_sub(FAR)..place.start).unwrap_or_default();
    let from = before.iter().rposition(ends).map_or(0, |last| last + 1);
    let behind = bytes.get(place.end..bytes.len().min(place.end + FAR)).unwrap_or_default();
    let to = behind.iter().position(ends).unwrap_or(behind.len());
    let sides = [before.get(from..).unwrap_or_default(), behind.get(..to).unwrap_or_default()];
    let parameters = sides.into_iter().flat_map(|side| side.split(|byte| matches!(byte, b'?' | b'&' | b';')));
    let telling = |parameter: &[u8]| {
        [&b"sv="[..], b"se=", b"sp=", b"sr=", b"st=", b"skn="].iter().any(|name| parameter.starts_with(name))
    };
    parameters.filter(|parameter| telling(parameter)).count() >= 2
}

impl Alphabet {
    const fn holds(self, byte: u8) -> bool {
        match self {
            Hex => byte.is_ascii_hexdigit(),
            Uuid => byte.is_ascii_hexdigit() || byte == b'-',
            Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Alnum => byte.is_ascii_alphanumeric(),
            Url => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'),
            Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'),
            Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'%' | b'-' | b'_'),
        }
    }
}
