import * as z from 'zod'
import {
  addPreset,
  changePreset,
  deletePreset,
  findPreset,
  listPresets,
  type WarningPresetRow,
} from '../../../domain/moderation/warning-presets'
import { textField } from '../../form-fields'
import { memberPage } from '../../member-pages/member-page'
import { type Resource, resourceEntry, resourceList } from './resource'

const form = z.object({ title: textField(), text: textField() })

const change: Required<Resource<typeof form, WarningPresetRow>>['change'] = {
  find: findPreset,
  values: ({ title, text }) => ({ title, text }),
  run: changePreset,
}

const presets: Resource<typeof form, WarningPresetRow> = {
  path: '/admin/warning_presets',
  title: 'admin.warningPresets.savedReplies',
  one: 'field.savedReply',
  access: 'manageSettings',
  order: 120,
  intro: 'admin.warningPresets.moderatorsChooseAmongWhen',
  form,
  fields: [
    { name: 'title', label: 'field.title', hint: 'admin.onlyModeratorsSee', isOptional: true },
    { name: 'text', label: 'field.text', kind: 'lines' },
  ],
  find: listPresets,
  pageLength: null,
  entry: ({ id, title, text }) => ({ id, name: title || text.slice(0, 80), lines: [text] }),
  add: { label: 'admin.warningPresets.addAText', run: addPreset },
  change,
  remove: {
    label: 'admin.delete',
    effect: 'admin.warningPresets.strikesUsedTextKeep',
    run: deletePreset,
  },
}

export const warningPresetsPage = memberPage(resourceList(presets))
export const warningPresetPage = memberPage(resourceEntry({ ...presets, change }))
