import type { AdminRule } from '../../contract/entities/admin/rule'
import type { rules } from '../../db/schema'

export function presentAdminRule(rule: typeof rules.$inferSelect): AdminRule {
  const { id, position, text, hint, translations } = rule
  return { id: String(id), text, hint, translations, position }
}
