import type { Child } from 'hono/jsx'
import type { SetUpState } from '../../../ports/installation'
import { ErrorSummary } from '../../components/form'
import { pageSheets } from '../../components/layout'
import { Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import { isDone, nextStep, type Step, steps, stepTitles } from './steps'

export interface SetUpFrameProps {
  readonly title: string
  readonly children?: Child
}

/** A page of set-up: that of sign-in, without the foot, whose pages are not there yet. */
export function SetUpFrame({ title, children }: SetUpFrameProps) {
  return (
    <Shell title={title} isPrivate sheets={pageSheets} place={null} frame="alone" hasFoot={false}>
      <ViewHead title={title} hasMark />
      <div class="page">
        <div class="block">
          <ErrorSummary />
          {children}
        </div>
      </div>
    </Shell>
  )
}

export interface StepFrameProps {
  readonly step: Step
  readonly state: SetUpState
  readonly children?: Child
}

/** A step, above the list of all; those that are done can be opened again. */
export function StepFrame({ step, state, children }: StepFrameProps) {
  const t = useTranslation()
  return (
    <SetUpFrame title={t(stepTitles[step])}>
      {children}
      <nav aria-labelledby="set-up-steps">
        <h2 id="set-up-steps">{t('setUp.steps')}</h2>
        <ol class="entries">
          {steps.map((one) => (
            <li>
              <StepName step={one} current={step} state={state} />{' '}
              {isDone(one, state) && <span class="tag">{t('setUp.stepDone')}</span>}
            </li>
          ))}
        </ol>
      </nav>
      {state.wrongSecrets > 0 && (
        <p class="quiet small">{t('setUp.wrongSecrets', { count: state.wrongSecrets })}</p>
      )}
    </SetUpFrame>
  )
}

interface StepNameProps {
  readonly step: Step
  readonly current: Step
  readonly state: SetUpState
}

function StepName({ step, current, state }: StepNameProps) {
  const t = useTranslation()
  const title = t(stepTitles[step])
  if (step === current) return <strong aria-current="step">{title}</strong>
  const isOpen = isDone(step, state) || step === nextStep(state)
  return isOpen ? <a href={`${paths.setUp}?step=${step}`}>{title}</a> : <span class="quiet">{title}</span>
}
