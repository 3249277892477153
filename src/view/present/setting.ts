import type { Setting } from '../../contract/entities/admin/setting'
import { timestampOrNull } from './time'

/** A setting with its value, default and last change. */
export interface SettingFacts extends Omit<Setting, 'choices' | 'updated_at'> {
  readonly choices: readonly string[]
  readonly updatedAt: Date | null
}

export function presentSetting({ updatedAt, ...setting }: SettingFacts): Setting {
  return { ...setting, choices: [...setting.choices], updated_at: timestampOrNull(updatedAt) }
}
