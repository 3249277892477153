import { useTranslation } from '../i18n/context'
import { problemText } from '../problem-texts'
import { fieldId } from './field'
import { IslandScript } from './island-script'

/** Proof-of-work challenge as pages carry it: data for the script alone. */
export type PageChallenge = Readonly<{ parameters: object; signature?: string }>

export interface ChallengeFieldProps {
  readonly challenge: PageChallenge
  readonly errors?: readonly string[] | undefined
}

/** Field of a form that a script (challenge.ts) fills in by solving a challenge; until it runs, the field says what it needs. */
export function ChallengeField({ challenge, errors = [] }: ChallengeFieldProps) {
  const t = useTranslation()
  return (
    <div
      id={fieldId('challenge')}
      data-challenge={JSON.stringify(challenge)}
      data-words={JSON.stringify({
        working: t('One moment: your browser is solving a small task that keeps robots out.'),
        unable: t(
          'Your browser could not solve the task that keeps robots out. Reload the page, or try another browser.',
        ),
      })}
    >
      <input type="hidden" name="challenge" value="" />
      <p class="muted" role="status">
        {t('To keep robots out, this form gives your browser a small task. It needs JavaScript for that.')}
      </p>
      {errors.length > 0 && (
        <p class="field-error">
          <span class="visually-hidden">{t('Error:')} </span>
          {errors.map((error) => problemText(t, error)).join(' ')}
        </p>
      )}
      <IslandScript name="challenge.js" />
    </div>
  )
}
