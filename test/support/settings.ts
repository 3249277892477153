import { defaultSettings, SettingsPatch, saveSettings } from '../../src/domain/instance/settings'
import { context } from './test-app'

/** Runs with patched instance settings; afterwards they have their default values again. */
export async function withSettings<T>(patch: SettingsPatch, run: () => Promise<T>): Promise<T> {
  const entries = Object.entries(defaultSettings).filter(([key]) => Object.hasOwn(patch, key))
  const back = SettingsPatch.parse(Object.fromEntries(entries))
  await saveSettings(context(), patch)
  try {
    return await run()
  } finally {
    await saveSettings(context(), back)
  }
}
