import { parseServer } from '../../../contract/handle'
import { saveSettings } from '../../../domain/instance/save-settings'
import { operator } from '../../../domain/policy/permissions'
import { isEmail } from '../../../domain/users/check-sign-up'
import { createOwnerByForm } from '../../../domain/users/provision'
import { Conflict, Invalid } from '../../../errors'
import { problem } from '../../../errors/sentences'
import type { Ctx } from '../../../ports/ctx'
import type { ChosenVariables, NotedStep } from '../../../ports/installation'
import type { Form } from '../../csrf'
import { type FormErrors, formErrors } from '../../form-errors'
import { findOtherServer } from './other-server'
import type { Step } from './steps'
import type { SetUp } from './types'

/** `taken`: another browser holds set-up now. `finished` names the owner. */
type Outcome = 'done' | 'taken' | { readonly errors: FormErrors<string> } | { readonly finished: string }

interface Submission {
  readonly step: Step
  readonly submit: (ctx: Ctx, setUp: SetUp, form: Form) => Promise<Outcome>
}

/** Effects of the form of each step. */
export const submissions: readonly Submission[] = [
  {
    step: 'database',
    submit: async (_, { installation }) => {
      await installation.startMigration()
      return 'done'
    },
  },
  { step: 'domain', submit: chooseDomain },
  { step: 'server', submit: saveServer },
  { step: 'services', submit: chooseServices },
  {
    step: 'secrets',
    submit: (_, setUp, form) =>
      form('agreement') === 'true'
        ? choose(setUp, {}, 'secrets')
        : Promise.resolve(refused('agreement', 'not_accepted')),
  },
  { step: 'checks', submit: (_, setUp) => choose(setUp, {}, 'checks') },
  { step: 'owner', submit: createOwner },
]

/** Takes the scheme and port of the request where its own host is chosen, as on one's own machine. */
async function chooseDomain(ctx: Ctx, setUp: SetUp, form: Form): Promise<Outcome> {
  const domain = parseServer(form('domain'))
  if (domain === null) return refused('domain', 'invalid_domain')
  const requested = new URL(ctx.config.origin)
  if (domain === requested.host) return choose(setUp, { ORIGIN: requested.origin })
  const software = await findOtherServer(ctx, domain)
  if (software !== null)
    return {
      errors: { fields: { domain: [{ text: 'setUp.domain.otherServer', values: { domain, software } }] } },
    }
  return choose(setUp, { ORIGIN: `https://${domain}` })
}

async function saveServer(_: Ctx, setUp: SetUp, form: Form): Promise<Outcome> {
  const fields = ['title', 'registrations'] as const
  const settings = { title: form('title').trim(), registrations: form('registrations') }
  return refusing(fields, async () => {
    await saveSettings(setUp.server(), operator, settings)
    return choose(setUp, {}, 'server')
  })
}

async function chooseServices(_: Ctx, setUp: SetUp, form: Form): Promise<Outcome> {
  const [plan, sender] = [form('plan'), form('email').trim()]
  if (plan !== 'free' && plan !== 'paid') return refused('plan', 'not_offered')
  if (sender !== '' && !isEmail(sender)) return refused('email', 'invalid_email')
  return choose(setUp, { PLAN: plan, MAIL_FROM: sender }, 'services')
}

/** Ends set-up. Of two owners at once the database takes one; the other form is told so. */
async function createOwner(_: Ctx, setUp: SetUp, form: Form): Promise<Outcome> {
  const fields = ['username', 'email', 'password', 'password_confirmation'] as const
  const owner = {
    username: form('username').trim(),
    email: form('email').trim(),
    password: form('password'),
    passwordConfirmation: form('password_confirmation'),
  }
  // The browser that lost set-up meanwhile creates nothing.
  if (!(await setUp.installation.choose(setUp.holder, {}))) return 'taken'
  return refusing(fields, async () => {
    await createOwnerByForm(setUp.server(), owner)
    await setUp.installation.complete()
    return { finished: owner.username }
  })
}

async function choose(
  { installation, holder }: SetUp,
  variables: ChosenVariables,
  done?: NotedStep,
): Promise<Outcome> {
  return (await installation.choose(holder, variables, done)) ? 'done' : 'taken'
}

async function refusing(fields: readonly string[], work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (failure) {
    if (failure instanceof Invalid || failure instanceof Conflict)
      return { errors: formErrors(failure, fields) }
    throw failure
  }
}

function refused(
  field: string,
  code: 'invalid_domain' | 'invalid_email' | 'not_accepted' | 'not_offered',
): Outcome {
  return { errors: { fields: { [field]: [problem(code, { field })] } } }
}
