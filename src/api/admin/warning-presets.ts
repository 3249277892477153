import * as z from 'zod'
import { WarningPreset } from '../../contract/entities/admin/report'
import { Id, OptionalText } from '../../contract/scalars'
import {
  addPreset,
  changePreset,
  deletePreset,
  listPresets,
  type WarningPresetRow,
} from '../../domain/moderation/warning-presets'
import { timestamp } from '../../view/present/time'
import { endpoint, readEndpoint, staff, updateEndpoints } from '../endpoint'

const path = '/api/fieldfare/v1/admin/warning_presets'
const Texts = z.object({ title: OptionalText, text: OptionalText })

const changing = updateEndpoints({
  path: `${path}/:id`,
  summary: 'Changes a text for warnings',
  auth: staff('admin:write', 'manageSettings'),
  input: Texts.extend({ id: Id }),
  output: WarningPreset,
  run: async (ctx, { viewer, input: { id, title, text } }) =>
    presetEntity(await changePreset(ctx, viewer, id, { title, text })),
})

export const adminWarningPresets = [
  readEndpoint({
    path,
    summary: 'Texts that moderators put into warnings, newest first',
    auth: staff('admin:read', 'manageUsers'),
    output: z.array(WarningPreset),
    read: (ctx) => listPresets(ctx),
    show: (_ctx, { found }) => found.map(presetEntity),
  }),
  endpoint({
    path,
    summary: 'Adds a text for warnings',
    auth: staff('admin:write', 'manageSettings'),
    input: Texts,
    output: WarningPreset,
    run: async (ctx, { viewer, input: { title = '', text = '' } }) =>
      presetEntity(await addPreset(ctx, viewer, { title, text })),
  }),
  ...changing,
  endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    summary: 'Deletes a text for warnings',
    auth: staff('admin:write', 'manageSettings'),
    input: z.object({ id: Id }),
    run: (ctx, { viewer, input }) => deletePreset(ctx, viewer, input.id),
  }),
]

function presetEntity({ id, title, text, createdAt, updatedAt }: WarningPresetRow): WarningPreset {
  return {
    id: String(id),
    title,
    text,
    created_at: timestamp(createdAt),
    updated_at: timestamp(updatedAt),
  }
}
