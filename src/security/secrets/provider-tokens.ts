import { hasCrc32Ending } from "./checksum.ts";
import { isRandomToken, isRandomValue } from "./randomness.ts";
import { BODY_START, type SecretKind, SOLID_START, START } from "./secret-kind.ts";

/**
 * Describes a token with a fixed prefix and a random body of known alphabet and length. The body must not be followed by
 * another character of its alphabet, so a longer word is not a token.
 */
function token(name: string, prefix: string, body: string, isReal = isRandomToken): SecretKind {
  const hasSign = /[-_.~:]/.test(prefix.replaceAll(/\[[^\]]*\]|\(\?:/g, ""));
  const next = `[\\w${hasSign ? "" : "+/"}${body.includes("-]") ? "-" : ""}]`;
  const shape = new RegExp(`${hasSign ? START : SOLID_START}${prefix}(?<body>${body})(?!${next})`, "dg");
  return { name, marks: [`${prefix}${BODY_START}`], shape, isReal: (random) => isReal(random) };
}

/** Describes a token that is recognised by something other than a prefix. */
function unprefixed(
  name: string,
  marks: readonly string[],
  body: string,
  isReal = isRandomToken,
): SecretKind {
  return { ...token(name, "", body, isReal), marks };
}

/** Describes a webhook URL, whose secret path is all that is needed to post to it. */
function webhook(name: string, place: string, path: string): SecretKind {
  const shape = new RegExp(`${place}(?<secret>${path})(?![\\w-])`, "dg");
  return { name, marks: [place], shape, isReal: (secret) => isRandomToken(secret.split("/").at(-1) ?? "") };
}

/**
 * Returns whether a token is real: its checksum matches, or its body is clearly random. The second test is needed
 * because providers change their formats.
 */
function hasChecksumOrIsRandom(body: string): boolean {
  return hasCrc32Ending(body) || isRandomValue(body);
}

/** Slack tokens have team and user numbers before the random part. */
function hasRandomEnd(body: string): boolean {
  const end = body.split("-").at(-1) ?? "";
  return end.length >= 16 && isRandomToken(end);
}

/** Discord bot tokens begin with the bot's number, in base64. */
function beginsWithNumber(body: string): boolean {
  return /^\d{17,20}$/.test(Buffer.from(body.split(".")[0] ?? "", "base64url").toString("latin1"));
}

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

const SOURCE_AND_BUILD: readonly SecretKind[] = [
  token("GitHub token", "gh[pousr]_", "[A-Za-z0-9]{36,251}", hasChecksumOrIsRandom),
  token("GitHub fine-grained token", "github_pat_", "\\w{82}"),
  token(
    "GitLab token",
    "gl(?:pat|dt|rt|rtr|ptt|ft|imt|oas|agent|ffct|soat|cbt|wt)-",
    "[\\w-]{20,300}(?:\\.[0-9a-z]{2}\\.[0-9a-z]{9}|\\.[0-9a-z]{9})?",
  ),
  token("GitLab runner registration token", "GR1348941", "[\\w-]{20}"),
  token("Bitbucket token", "ATBB", "[A-Za-z0-9]{32}"),
  token("Atlassian token", "AT[AC]TT3", "[\\w=-]{50,255}"),
  token("npm token", "npm_", "[A-Za-z0-9]{36}", hasChecksumOrIsRandom),
  token("PyPI token", "pypi-A", "[\\w-]{50,1000}"),
  token("RubyGems key", "rubygems_", "[a-f0-9]{48}"),
  token("Clojars token", "CLOJARS_", "[a-z0-9]{60}"),
  token("NuGet key", "oy2", "[a-z0-9]{43}"),
  token("Docker token", "dckr_[po]at_", "[\\w-]{20,64}"),
  token("Artifactory key", "AKCp", "[A-Za-z0-9]{69}"),
  token("Artifactory token", "cmVmd", "[A-Za-z0-9]{59}"),
  token("Buildkite token", "bk[au]a_", "[a-f0-9]{40}"),
  token("CircleCI token", "CCI(?:PAT|PRJ)_", "[A-Za-z0-9]{20,30}_[a-f0-9]{40}"),
  token("SonarQube token", "sq[upa]_", "[a-f0-9]{40}"),
  token("Sentry user token", "sntryu_", "[a-f0-9]{64}"),
  token("Sentry organisation token", "sntrys_", "[\\w+/=-]{50,500}"),
  token("Sourcegraph token", "sgp_(?:[a-fA-F0-9]{16}_|local_)?", "[a-fA-F0-9]{40}"),
  unprefixed("Terraform Cloud token", ["\\.atlasv1\\."], "[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{60,70}"),
  token("Pulumi token", "pul-", "[a-f0-9]{40}"),
  token("Infracost key", "ico-", "[A-Za-z0-9]{32}"),
  token("Prefect token", "pn[ub]_", "[A-Za-z0-9]{36}"),
  token("Postman key", "PMAK-", "[a-f0-9]{24}-[a-f0-9]{34}"),
  token("Octopus Deploy key", "API-", "[A-Z0-9]{26}"),
  token("Harness token", "[ps]at\\.[\\w-]{22}\\.[A-Za-z0-9]{24}\\.", "[A-Za-z0-9]{20}"),
  token("Netlify token", "nfp_", "[A-Za-z0-9]{36,40}"),
  token("Render key", "rnd_", "[A-Za-z0-9]{28,36}"),
  token("Vercel token", "vc[apk]_", "[A-Za-z0-9]{24,60}"),
  token("Fly.io token", "fo1_", "[\\w-]{43}"),
  token("Fly.io macaroon", "fm[12][ar]?_", "[A-Za-z0-9+/]{100,2000}"),
  token("Heroku key", "HRKU-AA", "[\\w-]{58}"),
  token("Scalingo token", "tk-us-", "[\\w-]{48}"),
  token("Apify token", "apify_api_", "[A-Za-z0-9]{36}"),
  token("LaunchDarkly key", "api-", UUID),
  token("LaunchDarkly key", "sdk-", UUID),
  token("Rootly token", "rootly_", "[a-f0-9]{64}"),
  token("Sourcegraph licence key", "slk_", "[a-f0-9]{64}"),
  token("SettleMint token", "sm_[aps]at_", "[A-Za-z0-9]{16}"),
];

const CLOUDS: readonly SecretKind[] = [
  token("AWS access key id", "A(?:KIA|SIA|BIA|CCA)", "[A-Z2-7]{16}"),
  token("AWS Bedrock key", "ABSK", "[A-Za-z0-9+/]{109,269}"),
  token(
    "AWS Bedrock short-lived key",
    "bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t",
    "[A-Za-z0-9+/=]{20,2000}",
  ),
  token("Google API key", "AIza", "[\\w-]{35}"),
  token("Google access token", "ya29\\.", "[\\w-]{20,2048}"),
  token("Google refresh token", "1\\/\\/0", "[\\w-]{40,200}"),
  token("Google client secret", "GOCSPX-", "[\\w-]{28}"),
  unprefixed("Azure client secret", ["(?:Q~)[\\w~.-]{31}"], "[A-Za-z0-9_~.]{3}\\dQ~[\\w~.-]{31,34}"),
  unprefixed("Azure DevOps token", ["(?:AZDO)"], "[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}"),
  unprefixed(
    "Azure annotated key",
    ["\\+A(?:St|Eh|Sb|Rm|CR|MC)", "(?:ACDb)", "(?:AIoT)", "(?:APIM)", "(?:Az)(?:Se|Fu|Ca)"],
    "(?:[A-Za-z0-9+/]{76}|[A-Za-z0-9+/]{42}|[A-Za-z0-9+/]{33})(?:\\+ASt|ACDb|\\+AEh|\\+ASb|\\+ARm|\\+ACR|\\+AMC|AIoT|APIM|AzSe|AzFu|AzCa)[A-Za-z0-9+/]{5,6}",
  ),
  token("Alibaba key id", "LTAI", "[A-Za-z0-9]{17,24}"),
  token("Tencent key id", "AKID", "[A-Za-z0-9]{32}"),
  token("Yandex key", "AQVN", "[\\w-]{35,38}"),
  token("Yandex token", "y0_Ag", "[\\w-]{50,60}"),
  token("DigitalOcean token", "do[opr]_v1_", "[a-f0-9]{64}"),
  token("Cloudflare origin key", "v1\\.0-[a-f0-9]{24}-", "[a-f0-9]{146}"),
  token("Databricks token", "dapi", "[a-f0-9]{32}(?:-\\d)?"),
  token("Databricks OAuth secret", "dose", "[a-f0-9]{32}"),
  token("ClickHouse Cloud key", "4b1d", "[A-Za-z0-9]{38}", isRandomValue),
  token("Cloudflare token", "cf(?:[ua]t|k)_", "[A-Za-z0-9]{40}[a-f0-9]{8}"),
  token("Supabase token", "sbp_", "[a-f0-9]{40}"),
  token("Supabase secret key", "sb_secret_", "[\\w-]{31,40}"),
  token("PlanetScale credential", "pscale_(?:tkn|oauth|pw)_", "[\\w.=-]{32,64}"),
  token("OpenShift token", "sha256~", "[\\w-]{43}"),
  token("Vault token", "hv[sbr]\\.", "[\\w-]{24,300}"),
  token("Vault token", "s\\.", "[A-Za-z0-9]{24}", isRandomValue),
  token("Doppler token", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?", "[A-Za-z0-9]{40,44}"),
  token("1Password service token", "ops_", "eyJ[A-Za-z0-9+/]{200,2000}"),
  token(
    "1Password secret key",
    "A3-",
    "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
  ),
  token("Tailscale key", "tskey-[a-z]{1,20}-", "[A-Za-z0-9]{8,40}-[A-Za-z0-9]{20,64}"),
  token("Firebase server key", "AAAA[\\w-]{7}:", "[\\w-]{140}"),
  token("age secret key", "AGE-SECRET-KEY-1", "[0-9A-Z]{58}"),
];

const MODELS: readonly SecretKind[] = [
  token("OpenAI key", "sk-(?:proj|svcacct|admin)-", "[\\w-]{32,200}"),
  token("OpenAI key", "sk-", "[A-Za-z0-9]{32,64}"),
  token("Anthropic key", "sk-ant-[a-z]{2,8}\\d{0,2}-", "[\\w-]{32,130}"),
  token("OpenRouter key", "sk-or-(?:v1-)?", "[a-f0-9]{64}"),
  token("Groq key", "gsk_", "[A-Za-z0-9]{40,64}"),
  token("xAI key", "xai-", "[A-Za-z0-9]{60,100}"),
  token("Replicate token", "r8_", "[A-Za-z0-9]{37,40}"),
  token("Perplexity key", "pplx-", "[A-Za-z0-9]{40,64}"),
  token("Hugging Face token", "hf_", "[A-Za-z0-9]{30,40}"),
  token("Hugging Face token", "api_org_", "[A-Za-z0-9]{30,40}"),
  token("NVIDIA key", "nvapi-", "[\\w-]{60,72}"),
  token("Pinecone key", "pcsk_", "[A-Za-z0-9_]{50,80}"),
  token("LangSmith key", "lsv2_(?:pt|sk)_", "[a-f0-9]{32}_[a-f0-9]{10}"),
  token("ElevenLabs key", "sk_", "[a-f0-9]{48}"),
];

const SERVICES: readonly SecretKind[] = [
  token("Stripe key", "[sr]k_(?:live|test|prod)_", "[A-Za-z0-9]{16,247}"),
  token("Stripe webhook secret", "whsec_", "[A-Za-z0-9+/]{24,64}"),
  token("Slack token", "xox[abeoprs]-", "[A-Za-z0-9-]{18,255}", hasRandomEnd),
  token("Slack browser token", "xox[cd]-", "[A-Za-z0-9%+/=-]{20,300}", hasRandomEnd),
  token("Slack configuration token", "xoxe\\.xox[bp]-\\d-", "[A-Za-z0-9]{120,200}"),
  token("Slack app token", "xapp-\\d-", "[A-Z0-9]{8,20}-\\d{8,20}-[a-z0-9]{40,80}", hasRandomEnd),
  webhook(
    "Slack webhook",
    "hooks\\.slack(?:-gov)?\\.com\\/(?:services|workflows|triggers)\\/",
    "[\\w+/-]{40,120}",
  ),
  webhook(
    "Discord webhook",
    "discord(?:app)?\\.com\\/api\\/(?:v\\d+\\/)?webhooks\\/\\d{17,20}\\/",
    "[\\w-]{60,80}",
  ),
  webhook("Teams webhook", "webhook\\.office\\.com\\/webhookb2\\/", "[\\w@/-]{80,250}"),
  unprefixed(
    "Discord bot token",
    ["[MNO][DTjz][AEIMQUYcgk][w-z0-5](?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){3}"],
    "(?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){5}[\\w-]{3,8}\\.[\\w-]{6}\\.[\\w-]{27,45}",
    beginsWithNumber,
  ),
  unprefixed("Telegram bot token", [":AA[\\w-]{33}"], "\\d{8,10}:AA[\\w-]{33}"),
  token("Twilio key", "SK", "(?:[0-9a-f]{32}|[0-9A-F]{32})"),
  token("SendGrid key", "SG\\.", "[\\w-]{22}\\.[\\w-]{43}"),
  token("Mailgun key", "key-", "[0-9a-f]{32}"),
  unprefixed("Mailchimp key", ["-us\\d"], "[0-9a-f]{32}-us\\d{1,2}"),
  token("Brevo key", "xkeysib-", "[a-f0-9]{64}-[A-Za-z0-9]{16}"),
  token("Resend key", "re_", "[A-Za-z0-9]{8}_[A-Za-z0-9]{20,28}"),
  token("Square token", "EAAA", "[\\w-]{22,64}"),
  token("Square token", "sq0(?:atp|ctp|csp)-", "[\\w-]{22,64}"),
  token("Shopify token", "shp(?:at|ca|pa|ss|tka)_", "[a-fA-F0-9]{32}"),
  token("Facebook token", "EAA[A-Z]", "[A-Za-z0-9]{80,400}"),
  token("Linear key", "lin_(?:api|oauth)_", "[A-Za-z0-9]{40,64}"),
  token("Notion token", "ntn_", "[A-Za-z0-9]{43,46}"),
  token("Notion token", "secret_", "[A-Za-z0-9]{43,46}"),
  token("Figma token", "fig[doup]r?_", "[\\w=-]{36,60}"),
  token("Airtable token", "pat[A-Za-z0-9]{14}\\.", "[a-f0-9]{64}"),
  token("Grafana cloud token", "glc_", "[A-Za-z0-9+/]{32,400}"),
  token("Grafana service account token", "glsa_", "[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"),
  token("Grafana key", "eyJrIjoi", "[A-Za-z0-9+/]{60,400}"),
  token("New Relic key", "NR(?:AK|RA|II|IQ|JS)-", "[A-Za-z0-9-]{19,40}"),
  token("Dynatrace token", "dt0[a-z]\\d\\d\\.[A-Z0-9]{24}\\.", "[A-Z0-9]{64}"),
  token("PostHog key", "ph[xs]_", "[A-Za-z0-9]{40,50}"),
  token("Plaid token", "access-(?:sandbox|development|production)-", UUID),
  token("Contentful token", "CFPAT-", "[\\w-]{43}"),
  token("EasyPost key", "EZ[AT]K", "[A-Za-z0-9]{54}"),
  token("Shippo token", "shippo_(?:live|test)_", "[a-fA-F0-9]{40}"),
  token("Duffel token", "duffel_(?:test|live)_", "[\\w=-]{43}"),
  token("Typeform token", "tfp_", "[\\w.=-]{40,64}"),
  token("ReadMe key", "rdme_", "[a-z0-9]{70}"),
  token("Mapbox secret token", "sk\\.eyJ", "[\\w-]{40,400}\\.[\\w-]{20,40}"),
  token("Frame.io token", "fio-u-", "[\\w=-]{64}"),
  token("Adobe client secret", "p8e-", "[A-Za-z0-9]{32}"),
  token("Adafruit key", "aio_", "[A-Za-z0-9]{28}"),
  token("Datadog token", "dd[pw]_", "[A-Za-z0-9]{36}"),
  token("Flutterwave key", "FLWSECK(?:_TEST)?-", "[a-z0-9]{32}-X"),
  token("HubSpot token", "pat-(?:na|eu)\\d-", UUID),
  token("Intra 42 secret", "s-s4t2(?:ud|af)-", "[a-f0-9]{64}"),
  unprefixed("MaxMind key", ["(?:_mmk)"], "[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"),
  unprefixed(
    "New Relic licence key",
    ["(?:FFFFNRAL)", "(?:-NRMA)"],
    "(?:[0-9a-f]{32}|eu01xx[0-9a-f]{26})FFFFNRAL|(?:AA[0-9a-f]{40}|eu01xx[0-9a-f]{36})-NRMA",
  ),
  token("Ramp secret", "ramp_sec_", "[A-Za-z0-9]{48}"),
  token("Salesforce token", "00[A-Za-z0-9]{13}!", "[\\w.]{90,120}"),
  token("Squarespace token", "sqco_", "[A-Za-z0-9]{59}"),
  unprefixed(
    "Stripe payment secret",
    ["_secret_[A-Za-z0-9]{25}"],
    "(?:pi|seti)_[A-Za-z0-9]{24}_secret_[A-Za-z0-9]{25}",
  ),
  token("Voiceflow key", "VF\\.(?:(?:DM|WS)\\.)?[a-fA-F0-9]{24}\\.", "[A-Za-z0-9]{16}"),
  token("Zoho token", "1000\\.[a-f0-9]{32}\\.", "[a-f0-9]{32}"),
];

/** The kinds of credentials that are recognised by their own text, wherever they appear. */
export const PROVIDER_TOKENS: readonly SecretKind[] = [
  ...SOURCE_AND_BUILD,
  ...CLOUDS,
  ...MODELS,
  ...SERVICES,
];
