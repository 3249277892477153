import type { List } from '../../contract/entities/list'
import type { lists } from '../../db/schema'

export function presentList({ id, title, repliesPolicy, exclusive }: typeof lists.$inferSelect): List {
  return { id: String(id), title, replies_policy: repliesPolicy, exclusive }
}
