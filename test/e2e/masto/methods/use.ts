import type { mastodon } from 'masto'

export type Client = mastodon.rest.Client
type V1 = Client['v1']

/** Gives the client signed in with a token, or with none: calls of its methods are noted. */
export type As = (person: { readonly token: string } | null) => Client

/** Acts of people, by resource of the client: each calls every method of its resource. */
export type Uses<Name extends string> = Readonly<Record<Name, (as: As) => Promise<void>>>
/** Administration has tests of its own. */
export type ResourceV1 = Exclude<keyof V1, 'admin'>
export type ResourceV2 = keyof Client['v2']

/** Ids of all pages of a list, in their order. */
export async function idsOnPages(
  pages: AsyncIterable<readonly { readonly id: string }[]>,
): Promise<readonly string[]> {
  const found: string[] = []
  for await (const page of pages) found.push(...page.map(({ id }) => id))
  return found
}
