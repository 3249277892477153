import * as z from 'zod'
import { Setting } from '../../contract/entities/admin/instance'
import { Upload } from '../../contract/scalars'
import { execute } from '../../db/query'
import { settingKinds } from '../../domain/instance/save-settings'
import { defaultSettings, type LoadedSettings, loadSettingsWithTimes } from '../../domain/instance/settings'
import { saveSettingsWithPictures } from '../../domain/media/instance-pictures'
import { presentSetting } from '../../view/present/admin-instance'
import { readEndpoint, staff, updateEndpoints } from '../endpoint'

const path = '/api/fieldfare/v1/admin/settings'

/** A picture, null or blank text for none, undefined where it stays. Anything else is refused. */
const Picture = z.preprocess((sent, { addIssue }) => {
  if (sent === undefined || sent === null) return sent
  if (typeof sent === 'string' && sent.trim() === '') return null
  const bytes = Upload.safeParse(sent).data
  if (bytes === undefined) addIssue('must be a picture')
  return bytes
}, z.instanceof(Uint8Array).meta({ type: 'string', format: 'binary' }).nullish())

export const adminSettings = [
  readEndpoint({
    path,
    summary: 'Every setting with its type, value and default',
    auth: staff('admin:read', 'manageSettings'),
    output: z.array(Setting),
    read: loadSettingsWithTimes,
    show: (_ctx, { found }) => present(found),
  }),
  ...updateEndpoints({
    path,
    summary:
      'Changes the settings named, all or none; null clears one that can be empty, `thumbnail` and `logo` are pictures',
    auth: staff('admin:write', 'manageSettings'),
    takesFiles: true,
    input: z.looseObject({ thumbnail: Picture, logo: Picture }),
    output: z.array(Setting),
    run: async (ctx, { input, viewer }) => {
      const { access_token: _token, thumbnail, logo, ...patch } = input
      await saveSettingsWithPictures(ctx, viewer, { patch, thumbnail, logo })
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
