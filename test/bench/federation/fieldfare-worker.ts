import { readActivity } from '../../../src/activitypub/vocab/activity'
import { isUnreadable } from '../../../src/activitypub/vocab/json'
import { readStatus } from '../../../src/activitypub/vocab/status'
import { buildApp } from '../../../src/app'
import fieldfare from '../../../src/index'
import { publicUrlOf } from '../../../src/lib/signatures/message'
import { findSignatureProblem, isSignedBy, readSignature } from '../../../src/lib/signatures/verify'
import { wire } from '../../../src/wire'
import { plainBodies } from '../../support/plain-bodies'
import { type Load, requests } from './load'
import { type Replay, replayOf } from './replay'
import { unlimited } from './unlimited'

// biome-ignore lint/performance/noBarrelFile: the runtime looks for the classes of the objects here
export {
  Connection,
  Courier,
  Installation,
  JobQueue,
  Throttle,
  Topic,
  Uploads,
  Vault,
} from '../../../src/index'

const app = buildApp((env, lifetime) => wire(env, lifetime, unlimited))

/** Measured part of the inbox: up to the parsed document, or all of it. */
type Part = 'reading' | 'whole'

const parts = new Map<string, Part>([
  ['/load/reading', 'reading'],
  ['/load/whole', 'whole'],
])

/** Takes one delivery and waits for what it leaves to be done later. Answers the status. */
async function take(request: Request, env: Env): Promise<number> {
  const late: Promise<unknown>[] = []
  const lifetime = { waitUntil: (work: Promise<unknown>) => void late.push(work) }
  const answer = await app.fetch(request, env, { ...lifetime, passThroughOnException, props: {} })
  while (late.length > 0) await Promise.all(late.splice(0))
  return answer.status
}

const passThroughOnException = () => undefined

/** Steps that the lean prototype measured: read, digest, verify with a known key, parse. */
async function read(request: Request, { publicKey }: Load, origin: string): Promise<number> {
  const body = await plainBodies.read(request, 'delivery')
  const claim = readSignature(request.headers)
  if (claim.kind !== 'claimed') return 401
  const { method, headers, url } = request
  const message = { method, headers, body, url: publicUrlOf(origin, url) }
  const now = new Date()
  if ((await findSignatureProblem(claim.signature, message, now)) !== null) return 401
  if (!(await isSignedBy(publicKey, claim.signature, message))) return 401
  const activity = readActivity(JSON.parse(new TextDecoder().decode(body)))
  if (activity === null) return 400
  const status = readStatus(activity.raw['object'], { authorFollowers: null, now })
  return isUnreadable(status) ? 422 : 202
}

/** Of `/load/whole` the first delivery goes to the database, and what that answered is played to all others. */
async function measure(part: Part, load: Load, env: Env): Promise<Response> {
  const replay: Replay = replayOf(env.DB)
  const played = { ...env, DB: replay.db }
  const statuses: number[] = []
  for (const [index, request] of [...requests(load, `${env.ORIGIN}/inbox`)].entries()) {
    statuses.push(part === 'reading' ? await read(request, load, env.ORIGIN) : await take(request, played))
    if (index === 0) replay.replay()
    else replay.rewind()
  }
  return Response.json({ statuses })
}

/** Fieldfare itself, and its inbox without the database's own time. */
export default {
  ...fieldfare,
  async fetch(request: Request<unknown, IncomingRequestCfProperties>, env: Env, lifetime: ExecutionContext) {
    const part = parts.get(new URL(request.url).pathname)
    return part === undefined ? app.fetch(request, env, lifetime) : measure(part, await request.json(), env)
  },
}
