import * as z from 'zod'
import { arg, declareCommand, emailAddress, given, option } from '../lib/command-line/declare.mjs'

export const command = declareCommand({
  name: 'owner',
  summary: 'Makes the account of whoever runs a deployed instance, and prints its password once',
  args: [arg('NAME', 'Username of the owner')],
  options: {
    email: option('ADDRESS', 'E-mail address of the owner; without it no mail reaches them', emailAddress),
  },
  calls: ['POST /setup/owner'],
  result: z.object({ username: z.string(), password: z.string() }),
  run: ({ input: { name, email }, instance }) => instance.setup('owner', given({ username: name, email })),
  lines: ({ username, password }) => [
    `The owner account (shown this once):\n\n  name      ${username}\n  password  ${password}`,
  ],
})
