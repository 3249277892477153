import type { Ctx } from '../ports/ctx'
import type { MenuEntry } from './page-context'
import { paths } from './paths'

const remembered = 'served-documents'
const rememberedSeconds = 86_400

/** Whether the documents were deployed with the server, which serves them then. An isolate asks its files once a day. */
export async function servesDocuments({
  staticFiles,
  memory,
}: Pick<Ctx, 'staticFiles' | 'memory'>): Promise<boolean> {
  const known = memory.get(remembered)
  if (known !== null) return known === 'yes'
  const { ok, body } = await staticFiles.fetch(`https://assets.invalid${paths.documents}`)
  await body?.cancel()
  memory.set(remembered, ok ? 'yes' : 'no', rememberedSeconds)
  return ok
}

/** Entry of the documents in the menu of administration; none where the server has none. */
export async function documentsEntries(ctx: Ctx): Promise<readonly MenuEntry[]> {
  return (await servesDocuments(ctx))
    ? [{ path: paths.documents, label: 'admin.menu.documents', order: 990 }]
    : []
}
