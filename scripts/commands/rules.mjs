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

export const group = declareGroup({
  name: 'rules',
  summary: 'Rules of the server one by one; settings set rule=... replaces them all',
  commands: [
    {
      name: 'list',
      summary: 'Rules in their order, with ids',
      calls: ['POST /setup/rules/list'],
      result: z.object({ rules: z.array(Rule) }),
      run: ({ instance }) => instance.setup('rules/list'),
      lines: ({ rules }) => (rules.length === 0 ? ['There are no rules.'] : rules.map(lineOf)),
    },
    {
      name: 'add',
      summary: 'Adds a rule behind the others',
      args: [arg('TEXT', 'The rule'), optional('HINT', 'Explanation', text)],
      calls: ['POST /setup/rules/add'],
      result: z.object({ id: text }),
      run: ({ input, instance }) => instance.setup('rules/add', given(input)),
      lines: (result) => [`Added as ${result.id}.`],
    },
    {
      name: 'change',
      summary: 'Changes text or hint of a rule',
      args: [arg('ID', 'Id of the rule', id)],
      options: { text: option('TEXT', 'The rule'), hint: option('HINT', 'Explanation; blank for none') },
      check: (input) =>
        (input.text ?? input.hint) === undefined ? '--text or --hint has to say what changes' : null,
      calls: ['POST /setup/rules/change'],
      result: Done,
      run: ({ input, instance }) => instance.setup('rules/change', given(input)),
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
      calls: ['POST /setup/rules/translate'],
      result: Done,
      run: ({ input: { id: rule, language, ...words }, instance }) =>
        instance.setup('rules/translate', { id: rule, language, words: given(words) }),
      lines: (_result, input) => [`Done: translate ${input.id}.`],
    },
    {
      name: 'untranslate',
      summary: 'Removes a translation',
      args: [arg('ID', 'Id of the rule', id), arg('LANGUAGE', 'Code of the language')],
      calls: ['POST /setup/rules/translate'],
      result: Done,
      run: ({ input: { id: rule, language }, instance }) =>
        instance.setup('rules/translate', { id: rule, language, words: null }),
      lines: (_result, input) => [`Done: untranslate ${input.id}.`],
    },
    {
      name: 'order',
      summary: 'Orders the rules: all of them, in the order they get',
      args: [several('ID', 'Ids of all rules', id)],
      calls: ['POST /setup/rules/order'],
      result: Done,
      run: ({ input, instance }) => instance.setup('rules/order', { ids: input.id }),
      lines: () => ['Ordered.'],
    },
    {
      name: 'remove',
      summary: 'Removes a rule; reports keep what they said about it',
      args: [arg('ID', 'Id of the rule', id)],
      calls: ['POST /setup/rules/remove'],
      result: Done,
      destroys: (input) => `remove the rule ${input.id} with its translations`,
      run: ({ input, instance }) => instance.setup('rules/remove', { id: input.id }),
      lines: (_result, input) => [`Done: remove ${input.id}.`],
    },
  ],
})

function lineOf({ id: name, text: rule, hint, translations }) {
  return [name, rule, hint === '' ? '-' : hint, Object.keys(translations).join(' ')].join('  ').trimEnd()
}
