import * as z from 'zod'
import {
  arg,
  Done,
  declareGroup,
  flag,
  given,
  id,
  oneOf,
  option,
  yesNo,
} from '../lib/command-line/declare.mjs'

const kinds = {
  network: ['severity', 'days', 'comment'],
  domain: ['approval'],
  email: [],
  username: ['exact', 'approval'],
}
const paths = {
  network: '/api/v1/admin/ip_blocks',
  domain: '/api/v1/admin/email_domain_blocks',
  email: '/api/v1/admin/canonical_email_blocks',
  username: '/api/fieldfare/v1/admin/username_blocks',
}
const optionNames = [...new Set(Object.values(kinds).flat())]
const kind = arg('KIND', 'network, domain, email or username', oneOf(...Object.keys(kinds)))
const days = z
  .string()
  .refine((text) => Number(text) > 0, 'must be a number of days')
  .transform(Number)

export const group = declareGroup({
  name: 'blocks',
  summary: 'Blocks against sign-ups: networks, domains of mail, addresses and usernames',
  commands: [
    {
      name: 'list',
      summary: 'Blocks with their kinds and ids, the newest 500 of each kind',
      calls: Object.values(paths).map((path) => `GET ${path}`),
      result: z.object({
        blocks: z.array(
          z.object({ kind: z.string(), id: z.string(), of: z.string(), words: z.array(z.string()) }),
        ),
      }),
      run: async ({ instance }) => {
        const kindsOfBlocks = Object.entries(paths).map(async ([name, path]) =>
          (await instance.every(path, { limit: 200 }, 500)).map((block) => ({
            kind: name,
            id: block.id,
            ...factsOf[name](block),
          })),
        )
        return { blocks: (await Promise.all(kindsOfBlocks)).flat() }
      },
      lines: ({ blocks }) =>
        blocks.length === 0
          ? ['Nothing is blocked.']
          : blocks.map((one) => [one.kind, one.id, one.of, ...one.words].join('  ')),
    },
    {
      name: 'add',
      summary: 'Blocks a network, a domain of mail, an address or a username',
      args: [
        kind,
        arg(
          'SUBJECT',
          'Network: an address or a range, as 192.0.2.0/24. Domain: of e-mail addresses, and of the servers that ' +
            'receive their mail. Email: an address in every spelling, or its hash. Username: every one that contains it',
        ),
      ],
      options: {
        severity: option(
          'NAME',
          'Of a network: sign_up_block (as usual), sign_up_requires_approval, no_access',
        ),
        days: option('NUMBER', 'Of a network: ends by itself', days),
        comment: option('TEXT', 'Of a network: reason for moderators'),
        approval: flag('Of a domain or username: sign-ups need approval instead of being refused'),
        exact: flag('Of a username: this one only'),
      },
      check: wrongOption,
      calls: Object.values(paths).map((path) => `POST ${path}`),
      result: z.object({ id: z.string() }),
      run: ({ input, instance }) => instance.call('POST', paths[input.kind], orders[input.kind](input)),
      lines: (result, input) => [`Blocked: ${input.kind} ${input.subject}, with the id ${result.id}.`],
    },
    {
      name: 'change',
      summary: 'Changes what is given of the block of a network or a username',
      args: [
        arg('KIND', 'network or username', oneOf('network', 'username')),
        arg('ID', 'Id of the block', id),
      ],
      options: {
        severity: option('NAME', 'Of a network: sign_up_block, sign_up_requires_approval, no_access'),
        days: option('NUMBER', 'Of a network: ends by itself after these days from now', days),
        comment: option('TEXT', 'Of a network: reason for moderators'),
        approval: option('YES', 'Of a username: yes: sign-ups need approval; no: they are refused', yesNo),
        exact: option('YES', 'Of a username: yes: this one only; no: every one that contains it', yesNo),
      },
      check: (input) =>
        wrongOption(input) ??
        (optionNames.some((name) => input[name] !== undefined) ? null : 'Name what is to be changed'),
      calls: [`PUT ${paths.network}/:id`, `PUT ${paths.username}/:id`],
      result: z.object({ id: z.string() }),
      run: async ({ input, instance }) => {
        const { id: changed } =
          input.kind === 'network'
            ? await instance.call('PUT', `${paths.network}/${input.id}`, networkChange(input))
            : await instance.call('PUT', `${paths.username}/${input.id}`, usernameChange(input))
        return { id: changed }
      },
      lines: (_result, input) => [`Changed: ${input.kind} ${input.id}.`],
    },
    {
      name: 'test',
      summary: 'Whether an e-mail address is blocked, in any spelling',
      args: [arg('EMAIL', 'E-mail address')],
      calls: ['POST /api/v1/admin/canonical_email_blocks/test'],
      result: z.object({ ids: z.array(z.string()) }),
      run: async ({ input, instance }) => {
        const found = await instance.call('POST', '/api/v1/admin/canonical_email_blocks/test', input)
        return { ids: found.map((block) => block.id) }
      },
      lines: ({ ids }) => [ids.length === 0 ? 'It is not blocked.' : `Blocked by email ${ids.join(', ')}.`],
    },
    {
      name: 'remove',
      summary: 'Lifts a block',
      args: [kind, arg('ID', 'Id of the block', id)],
      calls: Object.values(paths).map((path) => `DELETE ${path}/:id`),
      result: Done,
      run: ({ input, instance }) => instance.call('DELETE', `${paths[input.kind]}/${input.id}`),
      lines: (_result, input) => [`Lifted: ${input.kind} ${input.id}.`],
    },
  ],
})

const approvalWord = (isAllowed) => (isAllowed ? 'with approval' : 'refused')

/** Subject of a block and what more there is to it, by its kind. */
const factsOf = {
  network: ({ ip, severity, expires_at: end, comment }) => ({
    of: ip,
    words: [severity, ...(end === null ? [] : [`until ${end}`]), ...(comment === '' ? [] : [`“${comment}”`])],
  }),
  domain: (block) => ({ of: block.domain, words: [approvalWord(block.allow_with_approval)] }),
  email: ({ canonical_email_hash: hash }) => ({ of: hash, words: [] }),
  username: ({ username, comparison, allow_with_approval: isAllowed }) => ({
    of: username,
    words: [comparison, approvalWord(isAllowed)],
  }),
}

/** Body that adds a block, by its kind. */
const orders = {
  network: ({ subject, severity = 'sign_up_block', ...more }) => ({
    ip: subject,
    ...networkChange({ severity, ...more }),
  }),
  domain: ({ subject, approval }) => given({ domain: subject, allow_with_approval: approval }),
  email: ({ subject }) => (subject.includes('@') ? { email: subject } : { canonical_email_hash: subject }),
  username: ({ subject, approval, exact = false }) => ({
    username: subject,
    ...usernameChange({ approval, exact }),
  }),
}

/** Sentence about an option that the kind of block does not have; null without one. */
function wrongOption(input) {
  const wrong = optionNames.find((name) => input[name] !== undefined && !kinds[input.kind].includes(name))
  return wrong === undefined ? null : `--${wrong} means nothing for a block of the kind ${input.kind}`
}

function networkChange({ severity, days: left, comment }) {
  const seconds = left === undefined ? undefined : Math.round(left * 86_400)
  return given({ severity, comment, expires_in: seconds })
}

function usernameChange({ approval, exact }) {
  const comparison = exact === undefined ? undefined : exact ? 'equals' : 'contains'
  return given({ allow_with_approval: approval, comparison })
}
