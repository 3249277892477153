import * as z from 'zod'
import {
  addPreset,
  changePreset,
  deletePreset,
  findPreset,
  listPresets,
  type WarningPresetRow,
} from '../../../domain/moderation/warning-presets'
import { message } from '../../../lib/translate'
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
  title: message('Prepared texts'),
  one: message('Prepared text'),
  access: 'manageSettings',
  order: 120,
  intro: message('Moderators choose among them when they decide about an account.'),
  form,
  fields: [
    { name: 'title', label: message('Title'), hint: message('Only moderators see it.'), isOptional: true },
    { name: 'text', label: message('Text'), kind: 'lines' },
  ],
  find: listPresets,
  pageLength: null,
  entry: ({ id, title, text }) => ({ id, name: title || text.slice(0, 80), lines: [text] }),
  add: { label: message('Add a text'), run: addPreset },
  change,
  remove: {
    label: message('Delete'),
    effect: message('Strikes that used the text keep it.'),
    run: deletePreset,
  },
}

export const warningPresetsPage = memberPage(resourceList(presets))
export const warningPresetPage = memberPage(resourceEntry({ ...presets, change }))
