import * as z from 'zod'
import { grants, type Scope } from '../domain/sessions/scopes'
import type { FeedAccess, FeedScopes } from '../domain/timelines/access'
import { BadRequest, Unauthorized } from '../errors'
import { normaliseHashtag } from '../lib/hashtag'
import type { ListId } from '../lib/ids'

/** A stream as a client names it, in a query or in a message. */
export const RequestedStream = z.object({
  stream: z.string(),
  tag: z.string().nullable(),
  list: z.string().nullable(),
})
export type RequestedStream = Readonly<z.infer<typeof RequestedStream>>

/** Which settings of the operator decide who hears it. */
type AccessSetting = keyof Record<'live' | 'tag', FeedAccess>

interface StreamKind {
  readonly scope: Scope
  readonly feed: AccessSetting | null
  readonly of: 'tag' | 'list' | null
}

const own: StreamKind = { scope: 'read:statuses', feed: null, of: null }
const live: StreamKind = { ...own, feed: 'live' }
const tagged: StreamKind = { ...own, feed: 'tag', of: 'tag' }

/** All streams there are. */
export const streamKinds: ReadonlyMap<string, StreamKind> = new Map([
  ['user', own],
  ['user:notification', { ...own, scope: 'read:notifications' }],
  ['direct', own],
  ['list', { ...own, of: 'list' }],
  ['public', live],
  ['public:media', live],
  ['public:local', live],
  ['public:local:media', live],
  ['public:remote', live],
  ['public:remote:media', live],
  ['hashtag', tagged],
  ['hashtag:local', tagged],
])

/** What somebody wants to hear, understood and within the scopes of their token. */
export interface ParsedStream {
  /** Names the subscription among the others of a socket: the stream with its tag, normalised, or its list. */
  readonly id: string
  readonly stream: string
  readonly feed: AccessSetting | null
  readonly list: ListId | null
  /** As messages name it to the client: the tag is written as the client wrote it. */
  readonly name: readonly string[]
}

const longestTag = 200

/** Understands what a client asks for. `BadRequest` for what there is not, `Unauthorized` beyond the token's scopes. */
export function parseRequestedStream(
  { stream, tag, list }: RequestedStream,
  scopes: readonly string[],
): ParsedStream {
  const kind = streamKinds.get(stream)
  if (kind === undefined) throw new BadRequest('Unknown stream type')
  if (!grants(scopes, kind.scope)) throw new Unauthorized('Access token does not have the required scopes')
  const plain = { stream, feed: kind.feed, list: null }
  if (kind.of === 'tag') {
    const written = (tag ?? '').slice(0, longestTag)
    const normalised = normaliseHashtag(written)
    if (normalised === '') throw new BadRequest('Missing tag name parameter')
    return { ...plain, id: `${stream}:${normalised}`, name: [stream, written] }
  }
  if (kind.of === 'list') {
    if (list === null || list === '') throw new BadRequest('Missing list name parameter')
    // Whatever is no number is no list of theirs.
    const id = /^\d{1,16}$/.test(list) ? Number(list) : 0
    return { ...plain, list: id, id: `list:${id}`, name: ['list', String(id)] }
  }
  return { ...plain, id: stream, name: [stream] }
}

/** Can a token with these scopes listen to anything at all? */
export function maySubscribe(scopes: readonly string[]): boolean {
  return [...streamKinds.values()].some(({ scope }) => grants(scopes, scope))
}

/** Which half of a shared feed is asked for; neither means both. */
export function halvesOf({ stream }: ParsedStream) {
  const has = (half: string) => stream.split(':')[1] === half
  return { local: has('local'), remote: has('remote') }
}

/**
 * The channel that carries what the listener may hear of a shared stream. Of a closed half nothing is heard, as
 * nothing of it is read: null where both are.
 */
export function allowedChannel({ id, stream }: ParsedStream, open: FeedScopes): string | null {
  const asked = stream.split(':')[1]
  if (asked === 'local' || asked === 'remote') return open[asked] ? id : null
  if (open.local && open.remote) return id
  const half = open.local ? 'local' : open.remote ? 'remote' : null
  if (half === null || (stream === 'hashtag' && half === 'remote')) return null
  return [stream.split(':')[0], half, ...id.split(':').slice(1)].join(':')
}

/** Is it heard by many, through an object of its own? */
export function isTopic(channel: string): boolean {
  return /^(public|hashtag)(:|$)/.test(channel)
}

/** The stream an event source path stands for; null for paths that stand for none. */
export function streamOfPath(path: string, onlyMedia: boolean): string | null {
  const stream = path.split('/').join(':')
  const kind = streamKinds.get(stream)
  if (kind === undefined || stream.endsWith(':media')) return null
  return kind.feed === 'live' && onlyMedia ? `${stream}:media` : stream
}
