import * as z from 'zod'
import {
  arg,
  Done,
  declareGroup,
  given,
  id,
  option,
  optional,
  several,
} from '../lib/command-line/declare.mjs'

const text = z.string()
const Words = z.object({ text, hint: text })
const Rule = Words.extend({ id: text, translations: z.record(text, Words) })

const translating = ['GET /api/fieldfare/v1/admin/rules/:id', 'PUT /api/fieldfare/v1/admin/rules/:id']

export const group = declareGroup({
  name: 'rules',
  summary: 'Rules of the server',
  commands: [
    {
      name: 'list',
      summary: 'Rules in their order, with ids',
      route: 'GET /api/fieldfare/v1/admin/rules',
      result: z.object({ rules: z.array(Rule) }),
      key: 'rules',
      lines: ({ rules }) => (rules.length === 0 ? ['There are no rules.'] : rules.map(lineOf)),
    },
    {
      name: 'add',
      summary: 'Adds a rule behind the others',
      args: [arg('TEXT', 'The rule'), optional('HINT', 'Explanation', text)],
      route: 'POST /api/fieldfare/v1/admin/rules',
      result: z.object({ id: text }),
      body: (input) => given(input),
      lines: (result) => [`Added as ${result.id}.`],
    },
    {
      name: 'replace',
      summary: 'Replaces all rules; those whose text stays keep their ids and translations',
      api: 2,
      args: [several('TEXT', 'The rules in their order')],
      calls: ['PUT /api/fieldfare/v1/admin/rules'],
      result: z.object({ rules: z.array(Rule) }),
      destroys: () => 'remove all rules with another text, and their translations',
      run: async ({ input, instance }) => {
        const rules = input.text.map((rule) => ({ text: rule }))
        return { rules: await instance.admin('PUT', 'rules', { rules }) }
      },
      lines: ({ rules }) => rules.map(lineOf),
    },
    {
      name: 'change',
      summary: 'Changes text or hint of a rule',
      args: [arg('ID', 'Id of the rule', id)],
      options: { text: option('TEXT', 'The rule'), hint: option('HINT', 'Explanation; blank for none') },
      check: (input) =>
        (input.text ?? input.hint) === undefined ? '--text or --hint has to say what changes' : null,
      route: 'PUT /api/fieldfare/v1/admin/rules/:id',
      result: Done,
      body: ({ id: _id, ...words }) => given(words),
      lines: (_result, input) => [`Done: change ${input.id}.`],
    },
    {
      name: 'translate',
      summary: 'Translates a rule',
      args: [
        arg('ID', 'Id of the rule', id),
        arg('LANGUAGE', 'Code of the language, as de'),
        arg('TEXT', 'The rule in that language'),
        optional('HINT', 'Explanation in that language', text),
      ],
      calls: translating,
      result: Done,
      run: ({ input: { id: rule, language, ...words }, instance }) =>
        translate(instance, rule, { [language]: given(words) }),
      lines: (_result, input) => [`Done: translate ${input.id}.`],
    },
    {
      name: 'untranslate',
      summary: 'Removes a translation',
      args: [arg('ID', 'Id of the rule', id), arg('LANGUAGE', 'Code of the language')],
      calls: translating,
      result: Done,
      run: ({ input: { id: rule, language }, instance }) =>
        translate(instance, rule, { [language]: undefined }),
      lines: (_result, input) => [`Done: untranslate ${input.id}.`],
    },
    {
      name: 'order',
      summary: 'Orders the rules: all of them, in the order they get',
      args: [several('ID', 'Ids of all rules', id)],
      calls: ['POST /api/fieldfare/v1/admin/rules/order'],
      result: Done,
      run: async ({ input, instance }) => {
        await instance.admin('POST', 'rules/order', { ids: input.id })
        return {}
      },
      lines: () => ['Ordered.'],
    },
    {
      name: 'remove',
      summary: 'Removes a rule; reports keep what they said about it',
      args: [arg('ID', 'Id of the rule', id)],
      route: 'DELETE /api/fieldfare/v1/admin/rules/:id',
      result: Done,
      destroys: (input) => `remove the rule ${input.id} with its translations`,
      lines: (_result, input) => [`Done: remove ${input.id}.`],
    },
  ],
})

/** Changes the translations that are named, and leaves the others as they are. */
async function translate(instance, rule, changed) {
  const { translations } = await instance.admin('GET', `rules/${rule}`)
  return instance.admin('PUT', `rules/${rule}`, { translations: given({ ...translations, ...changed }) })
}

function lineOf({ id: name, text: rule, hint, translations }) {
  return [name, rule, hint === '' ? '-' : hint, Object.keys(translations).join(' ')].join('  ').trimEnd()
}
