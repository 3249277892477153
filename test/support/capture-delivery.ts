import type { Job } from '../../src/messages/jobs'
import type { Overrides } from '../../src/wire'
import type { Document } from './fediverse/documents'
import type { Peer, Reply, Sending } from './fediverse/peer'

export interface CapturedDelivery extends Reply {
  /** Reasons in the log for which the delivery was ignored or rejected. */
  readonly reasons: readonly string[]
  /** Failures of our own, as the log has them. */
  readonly errors: readonly string[]
  readonly jobs: readonly Job[]
  /** The hosts that something was handed over for. */
  readonly handed: readonly string[]
}

/** Delivers an activity and keeps what is logged, queued and handed over because of it, instead of doing it. */
export async function captureDelivery(
  peer: Peer,
  activity: Document | string,
  { overrides = {}, ...sending }: Sending = {},
): Promise<CapturedDelivery> {
  const recorder = portRecorder()
  const reply = await peer.send(activity, { ...sending, overrides: { ...recorder.overrides, ...overrides } })
  return { ...reply, ...recorder.read() }
}

/** Ports that only keep what they are asked for. */
export function portRecorder() {
  const reasons: string[] = []
  const errors: string[] = []
  const jobs: Job[] = []
  const handed: string[] = []
  const overrides: Overrides = {
    log: {
      info: (_, facts) => void reasons.push(...textOf(facts?.['reason'])),
      error: (message, facts) => void errors.push(`${message}: ${causeOf(facts?.['cause'])}`),
    },
    jobs: { send: async (job) => void jobs.push(job) },
    couriers: { enqueue: async (host) => void handed.push(host), wake: async () => undefined },
  }
  return { overrides, read: () => ({ reasons, errors, jobs, handed }) }
}

function textOf(reason: unknown): readonly string[] {
  return typeof reason === 'string' ? [reason] : []
}

function causeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause === undefined ? cause.message : `${cause.message} <- ${causeOf(cause.cause)}`
}
