import { constant } from '../../src/db/query'
import type { Viewer } from '../../src/domain/core/viewer'
import { hashToken, readAsCaller } from '../../src/domain/sessions/find'
import { createStatus } from '../../src/domain/statuses/create'
import type { StatusDraft } from '../../src/domain/statuses/draft'
import type { TestAccount } from './given'
import { clock, context } from './test-app'

export interface StatusOptions extends Partial<Omit<StatusDraft, 'inReplyToId'>> {
  readonly by: TestAccount
  readonly inReplyTo?: { readonly id: string }
}

/** The viewer that a token of the account stands for. */
export async function viewerOf(person: TestAccount): Promise<Viewer> {
  const credential = { kind: 'token', hash: await hashToken(person.token) } as const
  const read = await readAsCaller(context(), credential, constant(null))
  const viewer = typeof read === 'string' ? undefined : read[0].person?.viewer
  if (viewer === undefined) throw new Error(`${person.username} has no token of a person`)
  return viewer
}

/** A status somebody posted, a second after the one before, with all that follows from posting. */
export async function status({ by, inReplyTo, ...draft }: StatusOptions): Promise<{ readonly id: string }> {
  clock.advance(1_000)
  const made = await createStatus(context(), await viewerOf(by), {
    read: constant,
    draft: {
      text: 'The wren sings.',
      spoilerText: '',
      mediaIds: [],
      ...draft,
      inReplyToId: inReplyTo === undefined ? undefined : Number(inReplyTo.id),
    },
  })
  if (made.kind === 'earlier') throw new Error('A status without a key was posted before')
  return { id: String(made.id) }
}
