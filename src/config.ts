import * as z from 'zod'
import { parseDomain } from './contract/handle'
import { ProxyAddresses } from './contract/media-proxy'
import { type DailyLimits, dailyLimitsOf } from './contract/usage'
import { type InstanceSecrets, instanceSecrets, mostAcceptedSecrets } from './lib/secrets'

const address = 'an address such as https://social.example.org'
const Origin = z
  .url({ protocol: /^https?$/ })
  .transform((url) => new URL(url).origin)
  .describe(address)
const OptionalOrigin = Origin.optional().describe(address)
const OptionalText = z.string().min(1).optional().describe('a text')
const Switch = z.stringbool().default(false).describe('true or false')
const Count = z.coerce.number().int().positive()
const OptionalCount = Count.optional().describe('a whole number above 0')
const count = (usual: number) => Count.default(usual).describe('a whole number above 0')

/** Plans of Cloudflare Workers. */
const plans = ['free', 'paid'] as const
export type Plan = (typeof plans)[number]

/** Services of Cloudflare that a server works without, each with less. */
export const optionalServices = ['images', 'email', 'queues'] as const
export type OptionalService = (typeof optionalServices)[number]
const bindingOf = { images: 'IMAGES', email: 'EMAIL', queues: 'JOBS' } as const

/**
 * Variables an operator may set; docs/operate/configure.md lists their defaults. The descriptions complete the sentence
 * "NAME has to be ..." of `BadConfiguration`.
 */
const Settings = z.object({
  ORIGIN: Origin,
  MEDIA_ORIGIN: OptionalOrigin,
  /** Domain in handles, where it differs from the server's: its WebFinger has to lead here. */
  ACCOUNT_DOMAIN: z.string().transform(readDomain).optional().describe('a domain such as example.org'),
  /** Address of this server's source, which the licence owes its users. */
  SOURCE_URL: z.url().optional().describe('the address of a page'),
  /** The one secret of a server that is set up in the browser: such a server makes its INSTANCE_SECRET by itself. */
  SETUP_SECRET: z.string().min(32).optional().describe('a secret of 32 characters or more'),
  /** At least 32 characters of randomness; cookies, tokens and stored keys depend on it. */
  INSTANCE_SECRET: z.string().min(32).describe('a secret of 32 characters or more'),
  /**
   * Secrets that are accepted besides it: former ones, until what they made is renewed, and the next one before it is
   * put into INSTANCE_SECRET. One as it is, several as a JSON array.
   */
  ACCEPTED_INSTANCE_SECRETS: z
    .string()
    .transform(readSecrets)
    .default([])
    .describe(`a secret of 32 characters or more, or a JSON array of at most ${mostAcceptedSecrets}`),
  /** Enables the set-up routes, which do not exist without it. */
  SETUP_TOKEN: z.string().min(16).optional().describe('a secret of 16 characters or more'),
  /** Opens `/metrics` and the figures of `/health` to a monitor. */
  METRICS_TOKEN: z.string().min(16).optional().describe('a secret of 16 characters or more'),
  /** Sender of all mail; without it the server sends none and confirms addresses at once. */
  MAIL_FROM: z.email().optional().describe('an e-mail address'),
  /** `true`: the anonymous API returns only what an app needs to sign in. */
  REQUIRE_SIGN_IN: Switch,
  /** `true`: federates with allowlisted servers only. */
  LIMITED_FEDERATION: Switch,
  /** Hosts, with their ports, reachable at any address and by http too: for development and tests. */
  FEDERATION_TEST_HOSTS: z.string().default('').describe('a list of hosts, separated by commas'),
  /** `true`: remote servers can read documents only with a signature, so that suspended ones cannot. */
  AUTHORIZED_FETCH: Switch,
  /** Translation service for statuses, at most one; without it no status is translated. DeepL, by its key. */
  DEEPL_API_KEY: OptionalText,
  DEEPL_ENDPOINT: OptionalOrigin,
  /** LibreTranslate, by its address, and a key where it requires one. */
  LIBRE_TRANSLATE_ENDPOINT: OptionalOrigin,
  LIBRE_TRANSLATE_API_KEY: OptionalText,
  /** Model of Workers AI; needs the binding `AI`. */
  TRANSLATION_MODEL: OptionalText,
  /** Plan of Cloudflare that the server runs on: what it does by itself stays within its quotas. */
  PLAN: z.enum(plans).default('free').describe('free or paid'),
  /** Limits of a day in place of the plan's: for accounts that other Workers share, and as a bound of the bill. */
  DAILY_REQUESTS: OptionalCount,
  DAILY_ROWS_READ: OptionalCount,
  DAILY_ROWS_WRITTEN: OptionalCount,
  DAILY_OBJECT_CALLS: OptionalCount,
  DAILY_QUEUE_OPERATIONS: OptionalCount,
  MAX_STATUS_CHARACTERS: count(500),
  MAX_IMAGE_BYTES: count(16_777_216),
  /** Audio and video are buffered in memory while stored, and an isolate has 128 MB for all its requests. */
  MAX_VIDEO_BYTES: count(41_943_040),
})

const Environment = Settings.extend({
  AI: z.unknown().optional(),
  EMAIL: z.unknown().optional(),
  IMAGES: z.unknown().optional(),
  JOBS: z.unknown().optional(),
})

/** The variables by name, for their reference. */
export const variableFields = Settings.shape

export interface Config {
  /** `https://example.org`, no slash. All addresses are built from it, never from a request. */
  readonly origin: string
  /** `origin` is a loopback address, as in development. */
  readonly isOnLoopback: boolean
  /** Domain in local handles. */
  readonly domain: string
  /** Domains accepted in local handles: the one above first, then the host of `origin`. */
  readonly ownDomains: readonly string[]
  /** Base address of media: a host of their own or `<origin>/media`. */
  readonly mediaBase: string
  /** Host that serves media and nothing else; null where media share the host of the server. */
  readonly mediaHost: string | null
  /** Addresses of proxied remote media. */
  readonly mediaProxy: ProxyAddresses
  readonly sourceUrl: string
  /** Secrets that sign cookies and links and encrypt stored keys. */
  readonly secrets: InstanceSecrets
  readonly setupToken: string | null
  readonly metricsToken: string | null
  /** Null also without the binding that sends mail. */
  readonly mailFrom: string | null
  /** Services of Cloudflare that are not bound. */
  readonly missingServices: readonly OptionalService[]
  /** Closes the API to anonymous requests. */
  readonly requiresSignIn: boolean
  readonly federation: {
    /** Federates with allowlisted servers only. */
    readonly limited: boolean
    /** Requires signatures from remote servers. */
    readonly signedOnly: boolean
    readonly testHosts: readonly string[]
  }
  readonly translation: TranslationService | null
  /** Plan of the deployment; the instance setting `plan` counts in its place. */
  readonly plan: Plan
  /** Uses of a day near which work is given up, by plan. */
  readonly dailyLimits: Readonly<Record<Plan, DailyLimits>>
  readonly limits: {
    readonly statusCharacters: number
    readonly imageBytes: number
    readonly videoBytes: number
  }
}

/**
 * Whether anonymous requests may read statuses and profiles through the API, and find them by hashtag, list or feed.
 * Limited federation closes them as in Mastodon: else servers outside the allowlist would read them here.
 */
export function allowsAnonymousReads({ requiresSignIn, federation }: Config): boolean {
  return !requiresSignIn && !federation.limited
}

/** Translation service with its address and key. */
export type TranslationService =
  | { readonly kind: 'deepl'; readonly endpoint: string; readonly key: string }
  | { readonly kind: 'libretranslate'; readonly endpoint: string; readonly key: string | null }
  | { readonly kind: 'workers-ai'; readonly model: string }

/**
 * Operator's mistake in a variable. `message` says what is wrong and is safe to show: it names variables and their
 * expected form, never the content of a variable or secret.
 */
export class BadConfiguration extends Error {
  override readonly name = 'BadConfiguration'

  constructor(...sentences: readonly string[]) {
    super(['This server is not configured correctly.', ...sentences].join(' '))
  }
}

/** A server that does not run yet: in words of their own, since no variable is wrong. */
export class NotReady extends BadConfiguration {
  constructor(sentence: string) {
    super()
    this.message = sentence
  }
}

/**
 * Parses the environment variables; their only reader. Throws one `BadConfiguration` that names every bad variable.
 */
export function parseConfig(variables: object): Config {
  const parsed = Environment.safeParse(variables)
  if (!parsed.success) throw new BadConfiguration(...problemsOf(parsed.error, { ...variables }))
  const given = parsed.data
  const { host, hostname } = new URL(given.ORIGIN)
  const secrets = instanceSecrets(given.INSTANCE_SECRET, given.ACCEPTED_INSTANCE_SECRETS)
  return {
    origin: given.ORIGIN,
    isOnLoopback: isLoopback(hostname),
    domain: given.ACCOUNT_DOMAIN ?? host,
    ownDomains: [...new Set([given.ACCOUNT_DOMAIN ?? host, host])],
    ...mediaPlaceOf(given),
    mediaProxy: new ProxyAddresses(secrets),
    sourceUrl: given.SOURCE_URL ?? `${given.ORIGIN}/about`,
    secrets,
    setupToken: given.SETUP_TOKEN ?? null,
    metricsToken: given.METRICS_TOKEN ?? null,
    mailFrom: given.EMAIL === undefined ? null : (given.MAIL_FROM ?? null),
    missingServices: optionalServices.filter((service) => given[bindingOf[service]] === undefined),
    requiresSignIn: given.REQUIRE_SIGN_IN,
    federation: {
      limited: given.LIMITED_FEDERATION,
      signedOnly: given.AUTHORIZED_FETCH,
      testHosts: given.FEDERATION_TEST_HOSTS.split(',').flatMap((host) => host.trim().toLowerCase() || []),
    },
    translation: translationOf(given),
    plan: given.PLAN,
    dailyLimits: { free: limitsOf('free', given), paid: limitsOf('paid', given) },
    limits: {
      statusCharacters: given.MAX_STATUS_CHARACTERS,
      imageBytes: given.MAX_IMAGE_BYTES,
      videoBytes: given.MAX_VIDEO_BYTES,
    },
  }
}

function limitsOf(plan: Plan, given: z.output<typeof Settings>): DailyLimits {
  return dailyLimitsOf(plan, {
    requests: given.DAILY_REQUESTS,
    rowsRead: given.DAILY_ROWS_READ,
    rowsWritten: given.DAILY_ROWS_WRITTEN,
    objectCalls: given.DAILY_OBJECT_CALLS,
    queueOperations: given.DAILY_QUEUE_OPERATIONS,
  })
}

function problemsOf({ issues }: z.ZodError, variables: Readonly<Record<string, unknown>>): readonly string[] {
  const names = new Set(issues.map(({ path }) => String(path[0])))
  // The server makes it once SETUP_SECRET can be used.
  if (names.has('SETUP_SECRET') && variables['INSTANCE_SECRET'] === undefined) names.delete('INSTANCE_SECRET')
  const expected = new Map(
    Object.entries(Settings.shape).map(([name, { description }]) => [name, description]),
  )
  return [...names].map((name) => {
    const state = variables[name] === undefined ? 'is missing' : 'cannot be used'
    return `${name} ${state}: it has to be ${expected.get(name) ?? 'something else'}.`
  })
}

/**
 * The secret under which the installation keeps what `variables` leave out; null where they hold an INSTANCE_SECRET of
 * their own, or no set-up secret that can be used.
 */
export function setUpSecretOf(variables: object): string | null {
  const {
    SETUP_SECRET: secret,
    INSTANCE_SECRET: own,
  }: { SETUP_SECRET?: unknown; INSTANCE_SECRET?: unknown } = variables
  if (own !== undefined || secret === undefined) return null
  const parsed = Settings.shape.SETUP_SECRET.safeParse(secret)
  return parsed.data ?? null
}

/**
 * Refuses requests for a host that is not this server's: every address in a response leads to `ORIGIN`, on localhost to
 * the computer of each reader, and ids made so can never be corrected. A public server may be reached on its own machine.
 */
export function assertOwnHost(config: Config, requestUrl: string): void {
  const { origin, isOnLoopback, ownDomains, mediaBase } = config
  if (requestUrl.startsWith(`${origin}/`)) return
  const { host, hostname } = new URL(requestUrl)
  const isOwn = ownDomains.includes(host) || host === new URL(mediaBase).host
  if (isOwn || isLoopback(hostname)) return
  const advice = isOnLoopback
    ? `Set ORIGIN to the public address, such as https://${hostname}, and deploy again.`
    : `Take that address from the Worker, or use ${origin}.`
  throw new BadConfiguration(`ORIGIN is ${origin}, but this request came to ${hostname}.`, advice)
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

const Secrets = z.array(z.string().min(32)).max(mostAcceptedSecrets)

/** Empty text: none. Secrets may contain any character, so several are a JSON array. */
function readSecrets(text: string, ctx: z.RefinementCtx): readonly string[] {
  const parsed = Secrets.safeParse(text === '' ? [] : (parseArray(text) ?? [text]))
  if (parsed.success) return parsed.data
  ctx.addIssue('Not a list of secrets')
  return z.NEVER
}

/** Null for a text that is no JSON array. */
function parseArray(text: string): readonly unknown[] | null {
  if (!text.startsWith('[')) return null
  try {
    return z.array(z.unknown()).parse(JSON.parse(text))
  } catch (failure) {
    if (failure instanceof SyntaxError) return null
    throw failure
  }
}

function readDomain(text: string, ctx: z.RefinementCtx): string {
  const domain = parseDomain(text)
  if (domain !== null) return domain
  ctx.addIssue('Not a domain')
  return z.NEVER
}

/** Address of media. A media host only counts when it differs: on the server's own host, files have a folder. */
function mediaPlaceOf({ ORIGIN, MEDIA_ORIGIN = ORIGIN }: z.output<typeof Settings>) {
  const mediaBase = MEDIA_ORIGIN === ORIGIN ? `${ORIGIN}/media` : MEDIA_ORIGIN
  const { host } = new URL(mediaBase)
  return { mediaBase, mediaHost: host === new URL(ORIGIN).host ? null : host }
}

/** Selects the translation service. DeepL keys of the free plan end in `:fx`, and are accepted at another address. */
function translationOf(given: z.output<typeof Environment>): TranslationService | null {
  const { DEEPL_API_KEY: key, DEEPL_ENDPOINT, LIBRE_TRANSLATE_ENDPOINT: endpoint, TRANSLATION_MODEL } = given
  if (key !== undefined) {
    const usual = `https://${key.endsWith(':fx') ? 'api-free' : 'api'}.deepl.com`
    return { kind: 'deepl', endpoint: DEEPL_ENDPOINT ?? usual, key }
  }
  if (endpoint !== undefined)
    return { kind: 'libretranslate', endpoint, key: given.LIBRE_TRANSLATE_API_KEY ?? null }
  if (TRANSLATION_MODEL === undefined) return null
  if (given.AI === undefined) throw new BadConfiguration('TRANSLATION_MODEL needs the binding AI.')
  return { kind: 'workers-ai', model: TRANSLATION_MODEL }
}
