import generator, { type Entity, type MegalodonInterface } from 'megalodon'
import * as z from 'zod'
import { origin } from './people'

/** The published client of Whalebird, signed in as `person`, or as nobody. */
export function megalodonOf(person: { readonly token: string } | null): MegalodonInterface {
  return generator('mastodon', origin, person?.token ?? null)
}

const Refusal = z.object({
  response: z.object({ status: z.number(), data: z.looseObject({ error: z.string() }) }),
})

/** The failure of a call as megalodon gives it to an app: an axios error around the answer. */
export async function megalodonFailure(call: Promise<unknown>) {
  const failure = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  const parsed = Refusal.safeParse(failure)
  if (!parsed.success) throw new Error('The call was expected to fail with an answer', { cause: failure })
  const { status, data } = parsed.data.response
  return { status, ...data }
}

/** The status in an answer, where the client leaves open whether it was scheduled. */
export function posted({ data }: { readonly data: Entity.Status | Entity.ScheduledStatus }): Entity.Status {
  if ('content' in data) return data
  throw new Error('The status was scheduled instead of posted')
}
