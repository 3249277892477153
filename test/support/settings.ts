import { saveSettings } from '../../src/domain/instance/save-settings'
import { defaultSettings, SettingsPatch } from '../../src/domain/instance/settings'
import { operator } from '../../src/domain/policy/permissions'
import { context } from './test-app'

/** Runs with patched instance settings; afterwards they have their default values again. */
export async function withSettings<T>(patch: SettingsPatch, run: () => Promise<T>): Promise<T> {
  const entries = Object.entries(defaultSettings).filter(([key]) => Object.hasOwn(patch, key))
  const back = SettingsPatch.parse(Object.fromEntries(entries))
  await saveSettings(context(), operator, patch)
  try {
    return await run()
  } finally {
    await saveSettings(context(), operator, back)
  }
}
