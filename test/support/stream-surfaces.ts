import * as z from 'zod'
import type { Status } from '../../src/contract/entities/status'
import { Conversation } from '../../src/contract/entities/timelines'
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

function plain(stream: string, read: StreamSurface['read']): StreamSurface {
  return { stream, event: 'update', wish: { stream }, read }
}

/**
 * Every stream, with where the same is read: those of one hashtag, and of one list if there is one. Narrower streams are
 * compared with the whole timeline: what it shows of their kind is shown narrowed too, as the tests of timelines prove.
 */
export function streamSurfaces(tag: string, list: number | null): readonly StreamSurface[] {
  const lists =
    list === null
      ? []
      : [{ ...plain(`list:${list}`, timeline(`list/${list}`)), wish: { stream: 'list', list: String(list) } }]
  const published = timeline('public')
  const tagged = timeline(`tag/${tag}`)
  return [
    plain('user', timeline('home')),
    { ...plain('user', notified), event: 'notification' },
    { ...plain('user:notification', notified), event: 'notification' },
    { ...plain('direct', conversing), event: 'conversation' },
    ...lists,
    plain('public', published),
    plain('public:local', published),
    plain('public:remote', published),
    plain('public:media', published),
    plain('public:local:media', published),
    plain('public:remote:media', published),
    { ...plain(`hashtag:${tag}`, tagged), wish: { stream: 'hashtag', tag } },
    { ...plain(`hashtag:local:${tag}`, tagged), wish: { stream: 'hashtag:local', tag } },
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

/** Properties of a status by which surfaces are chosen: those that show no such status to anybody are not read. */
interface Shown {
  readonly id: string
  readonly visibility: Status['visibility']
  readonly isMentioned: boolean
  readonly isLocal: boolean
  readonly hasFiles: boolean
}

/** Whether a stream is the same for every subscriber. */
export const isShared = (place: string) => /^(public|hashtag)/.test(place)

/**
 * Surfaces on which reading shows the status, as `stream event`. That timelines for everybody leave out what is not for
 * everybody, of the other authors, or without files, is proved in `timelines-public.test.ts` and `timelines-tag.test.ts`;
 * that only direct statuses are conversations, and only who is mentioned is notified, in the tests of both.
 */
export async function surfacesShowing(
  viewer: TestAccount,
  all: readonly StreamSurface[],
  { id, visibility, isMentioned, isLocal, hasFiles }: Shown,
): Promise<readonly string[]> {
  const others = isLocal ? ':remote' : ':local'
  const isForAll = visibility === 'public' || visibility === 'unlisted'
  const canShow = ({ stream, event }: StreamSurface) => {
    if (event === 'conversation') return visibility === 'direct'
    if (event === 'notification') return isMentioned
    return (
      !isShared(stream) || (isForAll && !stream.includes(others) && (hasFiles || !stream.endsWith(':media')))
    )
  }
  const asked = all.filter(canShow)
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
