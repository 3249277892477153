import type { TextKey } from '../../../lib/translate'
import type { SetUpState } from '../../../ports/installation'

/** Steps of set-up in their order. A step is shown once those before it are done. */
export const steps = ['database', 'domain', 'server', 'services', 'secrets', 'checks', 'owner'] as const
export type Step = (typeof steps)[number]

export const stepTitles: Readonly<Record<Step, TextKey>> = {
  database: 'setUp.step.database',
  domain: 'field.domain',
  server: 'setUp.step.server',
  services: 'setUp.step.services',
  secrets: 'setUp.step.secrets',
  checks: 'setUp.step.checks',
  owner: 'setUp.step.owner',
}

/** Whether a step is done. The last one ends set-up, and never is. */
export function isDone(step: Step, { migration, chosen, done }: SetUpState): boolean {
  switch (step) {
    case 'database':
      return migration.state === 'done'
    case 'domain':
      return chosen.ORIGIN !== undefined
    case 'owner':
      return false
    default:
      return done.includes(step)
  }
}

/** The first step that is not done. */
export function nextStep(state: SetUpState): Step {
  return steps.find((step) => !isDone(step, state)) ?? 'owner'
}

/** The step that a browser asks for by name; the next one for an unknown name, and for a step that is not reached. */
export function stepAsked(name: string | undefined, state: SetUpState): Step {
  const next = nextStep(state)
  const asked = steps.find((step) => step === name)
  return asked !== undefined && steps.indexOf(asked) <= steps.indexOf(next) ? asked : next
}
