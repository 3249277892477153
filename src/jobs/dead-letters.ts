import { storeLetters } from '../domain/instance/dead-letters'
import type { Ctx } from '../ports/ctx'
import { kindOf } from './consumer'

/** Parts of a message of the dead-letter queue that are used. */
export interface DeadMessage {
  readonly id: string
  readonly body: unknown
}

/** Queues of dead letters by their names: a deployment names its queues after its Worker. */
export function isDeadLetterQueue(name: string): boolean {
  return name.endsWith('-dead')
}

/**
 * Stores the messages of the dead-letter queue, where operators list, retry and drop them. A database that does not
 * answer makes the batch fail, so the queue delivers it again.
 */
export async function receiveDeadLetters(ctx: Ctx, messages: readonly DeadMessage[]): Promise<void> {
  const letters = messages.map(({ id, body }) => ({ messageId: id, kind: kindOf(body), message: body }))
  ctx.log.error('Messages that nobody could run arrived', {
    count: letters.length,
    kinds: [...new Set(letters.map(({ kind }) => kind))],
  })
  await storeLetters(ctx, letters)
}
