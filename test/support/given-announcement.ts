import * as z from 'zod'
import { as } from './as'

const setup = as('a setup token for tests')

/** Something told to everybody, as the command does. Whoever makes one takes it away again: it is shown to all. */
export async function announced(
  text: string,
  more: Readonly<Record<string, string | boolean>> = {},
): Promise<string> {
  const { body } = await setup.post('/setup/announcements/add', { text, ...more })
  return z.object({ id: z.string() }).parse(body).id
}

export async function removeAnnounced(id: string): Promise<void> {
  await setup.post('/setup/announcements/remove', { id })
}
