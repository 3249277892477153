import * as z from 'zod'
import { normaliseHashtag } from '../contract/text/hashtag'
import { grants, type Scope } from '../domain/sessions/scopes'
import type { FeedAccess, FeedScopes } from '../domain/timelines/public'
import { BadRequest, Unauthorized } from '../errors'
import type { ListId } from '../lib/ids'

/** A stream as a client names it, in a query or in a message. */
export const RequestedStream = z.object({
  stream: z.string(),
  tag: z.string().nullable(),
  list: z.string().nullable(),
})
export type RequestedStream = Readonly<z.infer<typeof RequestedStream>>

/** Operator settings that decide who may subscribe. */
type AccessSetting = keyof Record<'live' | 'tag', FeedAccess>

interface StreamKind {
  readonly scope: Scope
  readonly feed: AccessSetting | null
  readonly of: 'tag' | 'list' | null
}

const own: StreamKind = { scope: 'read:statuses', feed: null, of: null }
const live: StreamKind = { ...own, feed: 'live' }
const tagged: StreamKind = { ...own, feed: 'tag', of: 'tag' }

/** Every stream, by name. */
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

/** A requested stream, parsed and within the scopes of the token. */
export interface ParsedStream {
  /** Identifies the subscription on its connection: the stream with its normalised tag, or its list. */
  readonly id: string
  readonly stream: string
  readonly feed: AccessSetting | null
  readonly list: ListId | null
  /** Name of the stream in messages to the client: the tag is spelled as the client sent it. */
  readonly name: readonly string[]
}

const longestTag = 200

/** Parses a requested stream. `BadRequest` for unknown streams, `Unauthorized` beyond the token's scopes. */
export function parseRequestedStream(
  { stream, tag, list }: RequestedStream,
  scopes: readonly string[],
): ParsedStream {
  const kind = streamKinds.get(stream)
  if (kind === undefined) throw new BadRequest('unknown_stream')
  if (!grants(scopes, kind.scope)) throw new Unauthorized('stream_scopes')
  const plain = { stream, feed: kind.feed, list: null }
  if (kind.of === 'tag') {
    const written = (tag ?? '').slice(0, longestTag)
    const normalised = normaliseHashtag(written)
    if (normalised === '') throw new BadRequest('stream_without_tag')
    return { ...plain, id: `${stream}:${normalised}`, name: [stream, written] }
  }
  if (kind.of === 'list') {
    if (list === null || list === '') throw new BadRequest('stream_without_list')
    // Ids that are not numeric match no list.
    const id = /^\d{1,16}$/.test(list) ? Number(list) : 0
    return { ...plain, list: id, id: `list:${id}`, name: ['list', String(id)] }
  }
  return { ...plain, id: stream, name: [stream] }
}

/** Whether a token with these scopes may subscribe to any stream. */
export function maySubscribe(scopes: readonly string[]): boolean {
  return [...streamKinds.values()].some(({ scope }) => grants(scopes, scope))
}

/** Halves of a shared feed (local, remote) that the stream covers; neither means both. */
export function halvesOf({ stream }: ParsedStream) {
  const has = (half: string) => stream.split(':')[1] === half
  return { local: has('local'), remote: has('remote') }
}

/**
 * The channel of a shared stream within the open halves of the feed. A closed half is not streamed, just as its
 * timeline cannot be read: null if both are closed.
 */
export function allowedChannel({ id, stream }: ParsedStream, open: FeedScopes): string | null {
  const asked = stream.split(':')[1]
  if (asked === 'local' || asked === 'remote') return open[asked] ? id : null
  if (open.local && open.remote) return id
  const half = open.local ? 'local' : open.remote ? 'remote' : null
  if (half === null || (stream === 'hashtag' && half === 'remote')) return null
  return [stream.split(':')[0], half, ...id.split(':').slice(1)].join(':')
}

/** Whether the channel is shared by many subscribers, through an object of its own. */
export function isTopic(channel: string): boolean {
  return /^(public|hashtag)(:|$)/.test(channel)
}

/** The stream of an event source path; null for other paths. */
export function streamOfPath(path: string, onlyMedia: boolean): string | null {
  const stream = path.split('/').join(':')
  const kind = streamKinds.get(stream)
  if (kind === undefined || stream.endsWith(':media')) return null
  return kind.feed === 'live' && onlyMedia ? `${stream}:media` : stream
}
