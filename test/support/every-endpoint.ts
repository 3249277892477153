import { endpoints } from '../../src/api'
import type { Endpoint } from '../../src/api/endpoint'
import { Id } from '../../src/contract/scalars'
import { as, type Body, type TestResponse } from './as'
import type { TestAccount } from './given'
import { clock } from './test-app'

/** Ids that a request can name, by kind. */
export interface Targets {
  readonly statuses: readonly (number | string)[]
  readonly accounts: readonly (number | string)[]
  readonly scheduled: readonly (number | string)[]
  readonly polls: readonly (number | string)[]
  readonly media: readonly (number | string)[]
  readonly notifications: readonly (number | string)[]
  /** Statuses of which only lists and contexts are read: the others stand for them everywhere else. */
  readonly furtherStatuses?: readonly number[]
  /** Notifications that are read by their ids alone, and not as groups of one. */
  readonly furtherNotifications?: readonly number[]
  readonly collections?: readonly (number | string)[]
  readonly reports?: readonly (number | string)[]
  readonly strikes?: readonly (number | string)[]
  readonly tag: string
  readonly lists: readonly (number | string)[]
  /** Words to search for. */
  readonly words: readonly string[]
}

type Choices = (targets: Targets, template: string) => readonly (number | string)[]

/** Resources of endpoints for staff that no other endpoint takes an id of. */
const staffResources = [
  'actions',
  'announcements',
  'appeals',
  'blocklists',
  'canonical_email_blocks',
  'custom_emojis',
  'dead_letters',
  'domain_allows',
  'domain_blocks',
  'effects',
  'email_domain_blocks',
  'evidence',
  'exceptions',
  'invites',
  'ip_blocks',
  'links',
  'notes',
  'publishers',
  'relays',
  'roles',
  'rules',
  'settings',
  'severances',
  'terms',
  'username_blocks',
  'warning_presets',
  'webhooks',
] as const

/** Ids that a path takes, by the segment before `:id`. */
const takes: Readonly<Record<string, Choices>> = {
  statuses: ({ statuses, furtherStatuses = [] }, template) =>
    template.endsWith('/context') ? [...statuses, ...furtherStatuses] : statuses,
  accounts: ({ accounts }) => accounts,
  // A conversation goes by the id of its first status.
  conversations: ({ statuses }) => statuses,
  scheduled_statuses: ({ scheduled }) => scheduled,
  polls: ({ polls }) => polls,
  media: ({ media }) => media,
  media_proxy: ({ media }) => media,
  annual_reports: () => [2007],
  async_refreshes: ({ words }) => words,
  notifications: ({ notifications, furtherNotifications = [] }, template) => {
    const keys = notifications.map((id) => `ungrouped-${id}`)
    // Ids and keys are refused in each other's place: one of each shows that.
    return template.includes(':group_key')
      ? [...keys, ...notifications.slice(0, 1)]
      : [...notifications, ...furtherNotifications, ...keys.slice(0, 1)]
  },
  // No notification is held back here: a single id is not found as none of them is.
  requests: ({ notifications }) => notifications.slice(0, 1),
  collections: ({ collections = [1] }) => collections,
  follow_requests: ({ accounts }) => accounts,
  lists: ({ lists }) => lists,
  list: ({ lists }) => lists,
  // Filters of other accounts are not found by any id.
  filters: ({ statuses }) => statuses,
  keywords: ({ statuses }) => statuses,
  filter_keywords: ({ statuses }) => statuses,
  // Codes of invitations are words, and lead to no status.
  account_archives: ({ statuses }) => statuses,
  archive_imports: ({ statuses }) => statuses,
  invite: ({ words }) => words,
  tag: ({ tag }) => [tag],
  tags: ({ tag }) => [tag],
  // Resources of staff endpoints, which refuse every other reader.
  ...Object.fromEntries(staffResources.map((name) => [name, () => [1]])),
  reports: ({ reports = [1] }) => reports,
  strikes: ({ strikes = [1] }) => strikes,
  // A day.
  terms_of_service: () => ['2026-01-01'],
}

type Queries = (targets: Targets) => readonly string[]

/** Queries of endpoints; every endpoint is asked without a query as well. */
const queries: Readonly<Record<string, Queries>> = {
  '/api/v1/accounts': ({ accounts }) => [listOf(accounts)],
  '/api/v1/accounts/familiar_followers': ({ accounts }) => [listOf(accounts)],
  '/api/v1/accounts/relationships': ({ accounts }) => [
    listOf(accounts),
    `${listOf(accounts)}&with_suspended=1`,
  ],
  '/api/v1/accounts/lookup': ({ words }) => words.map((word) => `acct=${word}`),
  '/api/v1/accounts/search': ({ words }) => words.map((word) => `q=${word}`),
  '/api/v1/accounts/:id/statuses': ({ tag }) => [
    'pinned=true',
    'only_media=true',
    'exclude_replies=true',
    'exclude_reblogs=true',
    'exclude_direct=true',
    `tagged=${tag}`,
    'limit=1',
  ],
  '/api/v1/conversations': () => ['limit=1', 'min_id=1'],
  '/api/v1/directory': () => ['order=new', 'local=1', 'order=new&local=1'],
  '/api/v1/notifications': ({ accounts }) => [
    'limit=1',
    'types[]=mention',
    'types[]=status&types[]=poll&types[]=update',
    ...accounts.map((id) => `account_id=${id}`),
  ],
  // A list leaves out what its reader may not see, one by one: all at once show what each alone would.
  '/api/v1/statuses': ({ statuses, furtherStatuses = [] }) =>
    inTwenties([...statuses, ...furtherStatuses]).map(listOf),
  '/api/v1/lists/:id/accounts': () => ['limit=0', 'limit=1'],
  '/api/v1/timelines/list/:list_id': () => ['limit=1', 'min_id=1'],
  '/api/v2/search': ({ words }) =>
    words.flatMap((word) => [`q=${word}`, `q=${word} in:library`, `q=from:${word}`]),
  '/api/v1/trends/statuses': () => ['limit=40', 'limit=40&offset=40'],
  '/api/v1/timelines/home': () => ['limit=1', 'min_id=1'],
  '/api/v1/timelines/public': () => ['local=true', 'only_media=true', 'limit=1'],
  '/api/v1/timelines/tag/:hashtag': ({ tag }) => [
    'limit=1',
    `any[]=${tag}`,
    `all[]=${tag}`,
    'only_media=true',
  ],
}

function inTwenties<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / 20) }, (_, at) => all.slice(at * 20, at * 20 + 20))
}

const listOf = (ids: readonly (number | string)[]) => ids.map((id) => `id[]=${id}`).join('&')

/** Older addresses of files, which are no endpoints of the API. */
const fileRoutes = ['/media/:id', '/media_proxy/:id', '/media_proxy/:id/small']

/**
 * Every path that reads and that the caller may ask, with every id put into it and every way to narrow it. The
 * others refuse before they read, as the matrices of refusals prove: those for staff refuse everybody else.
 */
export function everyReadPath(
  targets: Targets,
  caller: TestAccount | string | null,
  isStaff = false,
): string[] {
  const isPerson = caller !== null && typeof caller !== 'string'
  const isOpen = ({ auth: { kind } }: Endpoint) =>
    kind === 'anyone' || (isPerson && (isStaff || kind !== 'staff'))
  const reads = endpoints.filter((one) => one.method === 'GET' && isOpen(one)).map(({ path }) => path)
  // No account here has filters or archives, so these ids lead to none: a single id is refused as all are.
  const unrelated = { ...targets, statuses: targets.statuses.slice(0, 1) }
  return [...reads, ...fileRoutes].flatMap((template) =>
    pathsOf(template, /filter|archive/.test(template) ? unrelated : targets).flatMap((path) => [
      path,
      ...(queries[template]?.(targets) ?? []).map((query) => `${path}?${query}`),
    ]),
  )
}

/** Reads all paths, some at a time: none changes anything, so their order shows nothing either. */
export async function readAll(
  caller: TestAccount | string | null,
  paths: Iterable<string>,
  heard: (path: string, answer: TestResponse) => void,
): Promise<void> {
  const left = Iterator.from(paths)
  const reader = async () => {
    for (const path of left) heard(path, await as(caller).get(path))
  }
  await Promise.all(Array.from({ length: 8 }, reader))
}

/** Second parameter of a path, which names an emoji or another status. */
const reaction = encodeURIComponent('👍')

/** A path template with each fitting id. A new kind of id has to be named in `takes`. */
export function pathsOf(template: string, targets: Targets): string[] {
  const kind = template.split('/').find((_, at, all) => all[at + 1]?.startsWith(':') === true)
  if (kind === undefined) return [template]
  const choices = takes[kind]
  if (choices === undefined)
    throw new Error(`say in test/support/every-endpoint.ts what the id in ${template} is`)
  return choices(targets, template).map((id) =>
    template
      .replace(/:\w+/, String(id))
      .replaceAll(/:\w+_id/g, String(id))
      .replaceAll(/:\w+/g, reaction),
  )
}

/** Whether whatever is in the path of an endpoint is read as an id: each text that can be none is the same one then. */
export function takesOnlyIds({ path, input }: Endpoint): boolean {
  const shape: unknown = 'shape' in input ? input.shape : {}
  return [...path.matchAll(/:(\w+)/g)].every(([, name = '']) => Reflect.get(Object(shape), name) === Id)
}

/** No limits: two refusals for haste would look alike. */
const unlimited = {
  overrides: {
    throttle: {
      admits: async () => true,
      spend: async () => null,
      take: async () => ({ limit: 300, remaining: 300, resetAt: clock.now() }),
    },
  },
}

/** Calls an endpoint at `path` as somebody, a token or nobody. */
export function call(
  caller: TestAccount | string | null,
  { method }: Pick<Endpoint, 'method'>,
  path: string,
  body: Body = {},
): Promise<TestResponse> {
  return as(caller).call(method, path, body, unlimited)
}
