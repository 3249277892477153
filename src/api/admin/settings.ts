import * as z from 'zod'
import { Setting } from '../../contract/entities/admin/setting'
import { execute } from '../../db/query'
import { settingKinds } from '../../domain/instance/read-settings'
import { saveSettings } from '../../domain/instance/save-settings'
import { defaultSettings, type LoadedSettings, loadSettingsWithTimes } from '../../domain/instance/settings'
import { presentSetting } from '../../view/present/setting'
import { staff } from '../caller'
import { readEndpoint, updateEndpoints } from '../endpoint'

const path = '/api/fieldfare/v1/admin/settings'

export const adminSettings = [
  readEndpoint({
    method: 'GET',
    path,
    summary: 'Every setting with its type, value and default',
    auth: staff('admin:read', 'manageSettings'),
    input: z.object({}),
    output: z.array(Setting),
    read: loadSettingsWithTimes,
    show: (_ctx, { found }) => present(found),
  }),
  ...updateEndpoints({
    path,
    summary: 'Changes the settings named, all or none; null clears one that can be empty',
    auth: staff('admin:write', 'manageSettings'),
    input: z.looseObject({}),
    output: z.array(Setting),
    run: async (ctx, { input, viewer }) => {
      const { access_token: _token, ...patch } = input
      await saveSettings(ctx, viewer, patch)
      return present(await execute(ctx.db, loadSettingsWithTimes(ctx)))
    },
  }),
]

function present({ settings, changedAt }: LoadedSettings) {
  return settingKinds.map((kind) =>
    presentSetting({
      ...kind,
      value: settings[kind.name],
      default: defaultSettings[kind.name],
      updatedAt: changedAt.get(kind.name) ?? null,
    }),
  )
}
