import * as z from 'zod'
import type { Endpoint } from '../../src/api/endpoint'
import type { CrowdedDatabase } from './crowded-database'
import type { CrowdedMembers } from './crowded-members'

/** The crowded server; with `members`, ids of what belongs to these are asked for as well. */
export interface Crowd extends CrowdedDatabase {
  readonly members?: CrowdedMembers
}

type Choices = (place: Crowd) => readonly (number | string)[]

const usernames: Choices = (crowded) => crowded.usernames
const none: Choices = () => ['x']
const files: Choices = (crowded) => crowded.tags.flatMap((tag) => [`${tag}.rss`, `${tag}.atom`])

/** Values for the parameters of paths: by the segment before an id, otherwise by name. */
const inPaths: Readonly<Record<string, Choices>> = {
  'accounts/:id': (crowded) => crowded.accounts,
  'accounts/:account_id': (crowded) => crowded.accounts,
  'statuses/:id': (crowded) => crowded.statuses,
  'polls/:id': (crowded) => [crowded.poll],
  'media/:id': (crowded) => [crowded.media],
  'media_proxy/:id': (crowded) => [crowded.media],
  'collections/:id': (crowded) => crowded.collections,
  'feature_authorizations/:id': () => [1],
  'notifications/requests/:id': ({ members }) => members?.notifications ?? [],
  'notifications/:id': ({ members }) => members?.notifications ?? [],
  ':group_key': ({ members }) => members?.groups ?? [],
  'lists/:id': ({ members }) => members?.lists ?? [],
  ':list_id': ({ members }) => members?.lists ?? [],
  'filters/:id': ({ members }) => members?.filters ?? [],
  ':filter_id': ({ members }) => members?.filters ?? [],
  'scheduled_statuses/:id': ({ members }) => members?.scheduled ?? [],
  'reports/:id': ({ members }) => members?.reports ?? [],
  'blocklists/:id': () => [1],
  'webhooks/:id': () => [1],
  'tags/:id': () => [1, 101],
  'async_refreshes/:id': none,
  'domain_blocks/:id': () => [101],
  'quote_authorizations/:id': (crowded) => crowded.statuses.slice(-2),
  ':handle/:id': (crowded) => crowded.statuses,
  ':username': usernames,
  ':handle': (crowded) => crowded.usernames.map((name) => `@${name}`),
  ':hashtag': (crowded) => crowded.tags,
  ':tag': (crowded) => crowded.tags,
  ':name': (crowded) => crowded.tags,
  ':year': () => [2026],
  ':day': () => ['2026-01-01'],
  ':shortcode': () => ['e1'],
  ':domain': () => ['crowd.test', 'b.test'],
  ':reaction': () => ['x'],
  ':emoji': () => ['x'],
  ':media_id': none,
  ':key': none,
  ':url': none,
  ':mac': none,
  ':token': none,
  ':code': none,
  ':invite_code': none,
  ':kind': none,
  ':type': () => ['delete', 'suspend'],
  ':id': none,
  ':date': () => ['2026-01-01'],
  'tags/:file': files,
  'tagged/:file': files,
  ':file': (crowded) => crowded.usernames.flatMap((name) => [`@${name}.rss`, `@${name}.atom`]),
  ':owner': none,
  ':size': () => ['1x1'],
  ':number': () => ['1'],
}

const flag = (name: string) => [name, () => [`${name}=true`]] as const

/** The worst that parameters can ask for. */
const asked: Readonly<Record<string, (crowded: Crowd) => readonly string[]>> = {
  ...Object.fromEntries(
    [
      'local',
      'remote',
      'only_media',
      'exclude_replies',
      'exclude_reblogs',
      'exclude_direct',
      'exclude_unreviewed',
      'pinned',
      'active',
      'pending',
      'disabled',
      'silenced',
      'suspended',
      'sensitized',
      'staff',
      'small',
      'following',
      'resolve',
    ].map(flag),
  ),
  // With every other parameter.
  limit: () => [],
  max_id: ({ cursors, members }) =>
    [...cursors, ...(members?.cursors ?? [])].map((cursor) => `max_id=${cursor}`),
  min_id: ({ cursors }) => ['min_id=1', ...cursors.slice(0, 1).map((cursor) => `min_id=${cursor}`)],
  since_id: () => ['since_id=1'],
  tagged: ({ tags }) => tags.map((tag) => `tagged=${tag}`),
  any: ({ tags }) => ['any[]=even', tags.map((tag) => `any[]=${tag}`).join('&')],
  none: () => ['none[]=crowd', 'none[]=even&none[]=odd&none[]=rare&none[]=none'],
  q: () => [
    'q=a',
    'q=%23a',
    'q=%40a',
    'q=b',
    'q=thrush',
    'q=thrush%20before%3A2027-01-01',
    'q=thrush%20after%3A2026-10-01',
    'q=thrush%20from%3Aplain%40crowd.test',
    'q=number7%20in%3Alibrary',
    'q=https%3A%2F%2Ffieldfare.test%2F%40alice',
  ],
  type: () => ['type=accounts', 'type=hashtags', 'type=statuses'],
  offset: () => ['offset=80', 'offset=4999'],
  order: () => ['order=new'],
  url: ({ link }) => [`url=${link}`],
  after: () => ['after=1', 'after=20'],
  span: () => ['span=24'],
  newest: () => ['newest=1'],
  acct: () => ['acct=alice', 'acct=silenced@crowd.test'],
  account_id: () => ['account_id=1', 'account_id=13', 'account_id=15', 'account_id=2000001'],
  id: ({ accounts, statuses }) => [accounts, statuses].map((ids) => ids.map((id) => `id[]=${id}`).join('&')),
  provider: () => ['provider=keybase'],
  username: () => ['username=alice'],
  name: () => ['name=crowd', 'name=nowhere'],
  with_suspended: () => ['with_suspended=true'],
  all: () => ['all[]=rare', 'all[]=even&all[]=odd', 'all[]=crowd&all[]=even&all[]=none'],
  types: () => [
    'types[]=mention',
    'types[]=poll',
    'types[]=favourite',
    'types[]=follow',
    'types[]=mention&types[]=poll&types[]=update',
  ],
  exclude_types: () => ['exclude_types[]=favourite&exclude_types[]=status&exclude_types[]=follow'],
  include_filtered: () => ['include_filtered=true'],
  grouped_types: () => ['grouped_types[]=favourite', 'grouped_types[]=none'],
  supported_types: () => ['supported_types[]=mention'],
  expand_accounts: () => ['expand_accounts=partial_avatars'],
  timeline: () => ['timeline[]=home&timeline[]=notifications'],
  domain: () => ['domain=crowd.test', 'domain=b.test', 'domain=a1.crowd.test'],
  resolved: () => ['resolved=true'],
  target_account_id: () => ['target_account_id=12', 'target_account_id=1', 'target_account_id=7'],
  target_type: () => ['target_type=account'],
  target_id: () => ['target_id=12'],
  display_name: () => ['display_name=alice'],
  by_domain: () => ['by_domain=b.test'],
  email: () => ['email=mail'],
  ip: () => ['ip=203.0.113.1'],
  origin: () => ['origin=remote', 'origin=local'],
  status: () => ['status=suspended', 'status=silenced', 'status=pending'],
  permissions: () => ['permissions=staff'],
  role_ids: () => ['role_ids[]=3'],
  invited_by: () => ['invited_by=1'],
  by_target_domain: () => ['by_target_domain=crowd.test', 'by_target_domain=b.test'],
  failing: () => ['failing=true'],
  maxwidth: () => [],
  maxheight: () => [],
}

/** A pattern with everything in place of its parameters. One that is not named above has to be. */
export function pathsOf(place: Crowd, pattern: string): string[] {
  const plain = pattern.replaceAll(/\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
  const [parameter] = /:\w+/.exec(plain) ?? []
  if (parameter === undefined) return [plain]
  const key = Object.keys(inPaths).find(
    (one) => plain.replace(/^\/@?/, '').includes(one) && one.endsWith(parameter),
  )
  const choices = key === undefined ? undefined : inPaths[key]
  if (choices === undefined)
    throw new Error(`say in test/support/worst-requests.ts what stands for ${parameter} in ${pattern}`)
  // The other form of a feed has a route, and so a test, of its own.
  const form = /\\\.(rss|atom)\}$/.exec(pattern)?.[1]
  return choices(place)
    .flatMap((value) => pathsOf(place, plain.replace(parameter, String(value))))
    .filter((path) => form === undefined || path.endsWith(`.${form}`))
}

interface Queries {
  /** Each parameter by itself. */
  readonly single: readonly string[]
  /** Any two together. */
  readonly pairs: readonly string[]
}

function queriesOf(place: Crowd, { path, input }: Endpoint): Queries {
  const names = input instanceof z.ZodObject ? Object.keys(input.shape) : []
  const values = names
    .filter((name) => !path.includes(`:${name}`))
    .map((name) => {
      const choices = asked[name]
      if (choices === undefined)
        throw new Error(`say in test/support/worst-requests.ts what is worst for ${name} of ${path}`)
      return choices(place)
    })
  const pairs = values.flatMap((some, at) =>
    values.slice(at + 1).flatMap((others) => some.flatMap((one) => others.map((other) => `${one}&${other}`))),
  )
  return { single: ['', ...values.flat()], pairs }
}

/** Requests for an endpoint, with the default page and the greatest; pairs are asked of the first few paths only. */
export function requestsOf(place: Crowd, endpoint: Endpoint, paired = 4): string[] {
  const { single, pairs } = queriesOf(place, endpoint)
  const paths = pathsOf(place, endpoint.path)
  return [
    ...paths.flatMap((path) =>
      single.flatMap((query) => [`${path}?${query}`, `${path}?${query}&limit=1000`]),
    ),
    ...paths.slice(0, paired).flatMap((path) => pairs.map((query) => `${path}?${query}&limit=1000`)),
  ]
}
