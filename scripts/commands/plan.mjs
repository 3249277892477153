import * as z from 'zod'
import { arg, Done, declareGroup } from '../lib/command-line/declare.mjs'

const plans = ['free', 'paid']

/** Effects of a change to a plan on what runs; the deployment adds or removes mail. */
const effects = {
  paid: 'the server backs itself up every day, prunes from 8 GB on, and gives up no work near the quotas of a day',
  free: 'the server backs itself up every week, prunes from 400 MB on, and gives up work near the quotas of a day',
}

export const group = declareGroup({
  name: 'plan',
  summary: 'Plan of Cloudflare that the server keeps to',
  notes: [
    'A change needs no deployment, and the plan itself is switched on and off on the dashboard of Cloudflare. npm run deploy -- --plan',
    'PLAN takes the choice back, and adds or removes what only a deployment can: mail.',
  ],
  commands: [
    {
      name: 'show',
      summary: 'The plan that counts',
      route: 'GET /api/fieldfare/v1/admin/usage',
      result: z.object({ plan: z.enum(plans) }),
      lines: ({ plan }) => [plan],
    },
    {
      name: 'set',
      summary: 'Makes the server keep to a plan, at once',
      args: [arg('PLAN', 'free or paid', z.enum(plans))],
      calls: ['PUT /api/fieldfare/v1/admin/settings'],
      result: Done,
      run: async ({ input: { plan }, instance }) => {
        await instance.admin('PUT', 'settings', { plan })
        return {}
      },
      destroys: ({ plan }) => `change to ${plan}: ${effects[plan]}`,
      lines: (_, { plan }) => [`The server keeps to ${plan}; all of it within ten minutes.`],
    },
  ],
})
