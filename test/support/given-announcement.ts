import * as z from 'zod'
import { as } from './as'

const path = '/api/fieldfare/v1/admin/announcements'
const setup = as('a-setup-token-for-tests')

/** Publishes an announcement, as the command does. A test deletes its announcements again: all accounts see them. */
export async function announced(
  text: string,
  more: Readonly<Record<string, string | boolean>> = {},
): Promise<string> {
  const { body } = await setup.post(path, { text, ...more })
  return z.object({ id: z.string() }).parse(body).id
}

export async function removeAnnounced(id: string): Promise<void> {
  await setup.delete(`${path}/${id}`)
}
