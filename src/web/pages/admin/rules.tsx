import * as z from 'zod'
import {
  createRule,
  deleteRule,
  findRule,
  loadRules,
  type RuleRow,
  updateRule,
} from '../../../domain/instance/rules'
import { textField } from '../../form-fields'
import { memberPage } from '../../member-pages/member-page'
import { type Resource, resourceEntry, resourceList } from './resource'

const form = z.object({ text: textField(), hint: textField() })

const change = {
  find: findRule,
  values: ({ text, hint }: RuleRow) => ({ text, hint }),
  run: updateRule,
}

const rules: Resource<typeof form, RuleRow> = {
  path: '/admin/rules',
  title: 'field.rules',
  one: 'admin.rules.rule',
  access: 'manageRules',
  order: 100,
  intro: 'admin.rules.everybodyAgreesWhoSigns',
  form,
  fields: [
    { name: 'text', label: 'admin.rules.rule', kind: 'lines', maxlength: 1_000 },
    { name: 'hint', label: 'field.explanation', kind: 'lines', maxlength: 2_000, isOptional: true },
  ],
  find: loadRules,
  pageLength: null,
  entry: ({ id, text, hint }) => ({ id, name: text, lines: hint === '' ? [] : [hint] }),
  add: {
    label: 'admin.rules.addARule',
    run: (ctx, moderator, input) => createRule(ctx, moderator, { ...input, translations: {} }),
  },
  change,
  remove: {
    label: 'admin.delete',
    effect: 'admin.rules.reportsNameRuleKeep',
    run: deleteRule,
  },
}

export const rulesPage = memberPage(resourceList(rules))
export const rulePage = memberPage(resourceEntry({ ...rules, change }))
