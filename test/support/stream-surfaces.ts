import * as z from 'zod'
import { Conversation } from '../../src/contract/entities/conversation'
import { as } from './as'
import { idsOf } from './body-ids'
import type { TestAccount } from './given'
import { conversationsOf } from './given-direct'
import { type Frame, openStreamSocket, type TestSocket } from './streaming'

const WithStatus = z.array(z.object({ status: z.object({ id: z.string() }).optional() }))

export interface StreamSurface {
  /** The stream as messages name it. */
  readonly stream: string
  readonly event: 'update' | 'notification' | 'conversation'
  readonly wish: Readonly<Record<string, string>>
  /** The ids of the statuses that reading shows there. */
  readonly read: (viewer: TestAccount) => Promise<readonly string[]>
}

const timeline = (path: string) => async (viewer: TestAccount) =>
  idsOf(await as(viewer).get(`/api/v1/timelines/${path}`))

async function notified(viewer: TestAccount): Promise<readonly string[]> {
  const found = WithStatus.parse((await as(viewer).get('/api/v1/notifications')).body)
  return found.flatMap(({ status }) => status?.id ?? [])
}

async function conversing(viewer: TestAccount): Promise<readonly string[]> {
  return (await conversationsOf(viewer)).flatMap(({ last_status: last }) => last?.id ?? [])
}

function plain(stream: string, path: string): StreamSurface {
  return { stream, event: 'update', wish: { stream }, read: timeline(path) }
}

/** Every stream, with where the same is read: those of one hashtag, and of one list if there is one. */
export function streamSurfaces(tag: string, list: number | null): readonly StreamSurface[] {
  const lists =
    list === null
      ? []
      : [{ ...plain(`list:${list}`, `list/${list}`), wish: { stream: 'list', list: String(list) } }]
  return [
    plain('user', 'home'),
    { ...plain('user', 'home'), event: 'notification', read: notified },
    { ...plain('user:notification', 'home'), event: 'notification', read: notified },
    { ...plain('direct', 'home'), event: 'conversation', read: conversing },
    ...lists,
    plain('public', 'public'),
    plain('public:local', 'public?local=true'),
    plain('public:remote', 'public?remote=true'),
    plain('public:media', 'public?only_media=true'),
    plain('public:local:media', 'public?local=true&only_media=true'),
    plain('public:remote:media', 'public?remote=true&only_media=true'),
    { ...plain(`hashtag:${tag}`, `tag/${tag}`), wish: { stream: 'hashtag', tag } },
    { ...plain(`hashtag:local:${tag}`, `tag/${tag}?local=true`), wish: { stream: 'hashtag:local', tag } },
  ]
}

/** Opens one socket that listens to all of them. */
export async function subscribeToAll(
  viewer: TestAccount,
  all: readonly StreamSurface[],
): Promise<TestSocket> {
  const socket = await openStreamSocket(viewer)
  for (const { wish } of all) socket.say({ type: 'subscribe', ...wish })
  await socket.rest()
  return socket
}

/** Properties of a status by which timelines are chosen: timelines of other authors and of files are not read. */
interface Shown {
  readonly id: string
  readonly isLocal: boolean
  readonly hasFiles: boolean
}

/**
 * Surfaces on which reading shows the status, as `stream event`. That timelines of the other authors, and of files, leave
 * it out is proved in `timelines-public.test.ts` and `timelines-tag.test.ts`.
 */
export async function surfacesShowing(
  viewer: TestAccount,
  all: readonly StreamSurface[],
  { id, isLocal, hasFiles }: Shown,
): Promise<readonly string[]> {
  const others = isLocal ? ':remote' : ':local'
  const asked = all.filter(
    ({ stream }) => !stream.includes(others) && (hasFiles || !stream.endsWith(':media')),
  )
  const reads = [...new Set(asked.map(({ read }) => read))]
  const read = new Map(await Promise.all(reads.map(async (look) => [look, await look(viewer)] as const)))
  return asked
    .filter((place) => read.get(place.read)?.includes(id) === true)
    .map(placeOf)
    .toSorted()
}

/** Surface as frames name it: `stream event`. */
export function placeOf({ stream, event }: StreamSurface): string {
  return `${stream} ${event}`
}

/** Surfaces of received frames, as `stream event`. */
export function eventsIn(frames: readonly Frame[]): readonly string[] {
  return frames.map(({ stream = [], event }) => `${stream.join(':')} ${event}`).toSorted()
}

/** The status that frames carry, by the place they told of. */
export function statusesIn(frames: readonly Frame[]): readonly (readonly [string, unknown])[] {
  return frames.map((frame) => {
    const body: unknown = JSON.parse(frame.payload ?? 'null')
    const [place = ''] = eventsIn([frame])
    if (frame.event === 'conversation') return [place, Conversation.parse(body).last_status]
    return [place, frame.event === 'notification' ? Reflect.get(Object(body), 'status') : body]
  })
}
