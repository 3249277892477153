import * as z from 'zod'
import { findRule, loadRules, type RuleRow } from '../../../domain/instance/rules'
import { createRule, deleteRule, updateRule } from '../../../domain/instance/save-rules'
import { message } from '../../../lib/translate'
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
  title: message('Rules'),
  one: message('Rule'),
  access: 'manageRules',
  order: 100,
  intro: message('Everybody agrees to them who signs up, and reports may name them.'),
  form,
  fields: [
    { name: 'text', label: message('Rule'), kind: 'lines', maxlength: 1_000 },
    { name: 'hint', label: message('Explanation'), kind: 'lines', maxlength: 2_000, isOptional: true },
  ],
  find: loadRules,
  pageLength: null,
  entry: ({ id, text, hint }) => ({ id, name: text, lines: hint === '' ? [] : [hint] }),
  add: {
    label: message('Add a rule'),
    run: (ctx, moderator, input) => createRule(ctx, moderator, { ...input, translations: {} }),
  },
  change,
  remove: {
    label: message('Delete'),
    effect: message('Reports that name the rule keep its number only.'),
    run: deleteRule,
  },
}

export const rulesPage = memberPage(resourceList(rules))
export const rulePage = memberPage(resourceEntry({ ...rules, change }))
