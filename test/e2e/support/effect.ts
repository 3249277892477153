import { expect } from 'vitest'
import { eventually } from './receiver'

/** Address of the API, read with `GET`; what only operators may ask is a command of `/setup`, as it is for them. */
export type ApiPath = `/api/${string}` | `/setup/${string}`

/** Origin and access token for calls of the API. */
export interface Caller {
  readonly origin: string
  readonly token: string
}

/** A server that notes what comes to it: requests by their path, mails by their recipient. */
export interface Inbox {
  at(place: string): readonly unknown[]
}

/** Reads a state that forms change. */
export type Reading = () => Promise<unknown>

/** Place outside of the page where the effect of a form is read: the API, what came to another server, or both in words of a test. */
export type Evidence = readonly [Caller, ApiPath] | readonly [Inbox, string] | Reading

/** Reads the state that a form is to change, as text. */
export async function readEvidence(evidence: Evidence): Promise<string> {
  if (typeof evidence === 'function') return JSON.stringify(await evidence()) ?? ''
  if (isReceived(evidence)) return `${evidence[0].at(evidence[1]).length} received`
  const [{ origin, token }, path] = evidence
  // Entries of the log say what was asked for, whether or not anything came of it.
  if (path.includes('/audit_log')) throw new Error('The audit log is no evidence')
  const method = path.startsWith('/setup/') ? 'POST' : 'GET'
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const answer = await fetch(origin + path, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) })
  return `${answer.status} ${await answer.text()}`
}

function isReceived(evidence: Exclude<Evidence, Reading>): evidence is readonly [Inbox, string] {
  return 'at' in evidence[0]
}

interface Submission<T> {
  readonly evidence: Evidence
  /** Button that is pressed, named where the effect is missing. */
  readonly name: string
  /** Milliseconds that the effect may take, where that is not the limit of what hangs. */
  readonly patience?: number
  send(): Promise<T>
}

/** Sends a form, and waits for what it changes. What changes by itself proves nothing. */
export async function sendWithEffect<T>({ evidence, name, send, patience }: Submission<T>): Promise<T> {
  const before = await readSteadily(evidence, name)
  const answer = await send()
  // Jobs run after the answer.
  await eventually(
    async () => expect(await readEvidence(evidence), `effect of “${name}”`).not.toBe(before),
    patience,
  )
  return answer
}

/** Sends a form that only shows something, and changes nothing. */
export async function sendWithoutEffect<T>({ evidence, name, send }: Submission<T>): Promise<T> {
  const before = await readSteadily(evidence, name)
  const answer = await send()
  expect(await readEvidence(evidence), `state after “${name}”`).toBe(before)
  return answer
}

async function readSteadily(evidence: Evidence, name: string): Promise<string> {
  const first = await readEvidence(evidence)
  const second = await readEvidence(evidence)
  expect(second, `state before “${name}”, read again`).toBe(first)
  return second
}
