import { errorText } from '../error-texts'
import { useTranslation } from '../i18n/context'
import { fieldId } from './field'
import { IslandScript } from './island-script'
import { useFieldErrors } from './typed-values'

/** Proof-of-work challenge as pages carry it: data for the script alone. */
export type PageChallenge = Readonly<{ parameters: object; signature?: string }>

export interface ChallengeFieldProps {
  readonly challenge: PageChallenge
}

/** Field of a form that a script (challenge.ts) fills in by solving a challenge; until it runs, the field explains it. */
export function ChallengeField({ challenge }: ChallengeFieldProps) {
  const t = useTranslation()
  const errors = useFieldErrors('challenge')
  return (
    <div
      id={fieldId('challenge')}
      data-challenge={JSON.stringify(challenge)}
      data-words={JSON.stringify({
        working: t('challenge.working'),
        unable: t('challenge.unable'),
      })}
    >
      <input type="hidden" name="challenge" value="" />
      <p class="quiet small" role="status">
        {t('challenge.keepRobotsOutForm')}
      </p>
      {errors.length > 0 && (
        <p class="error">
          <span class="hidden">{t('common.error')} </span>
          {errors.map((error) => errorText(t, error)).join(' ')}
        </p>
      )}
      <IslandScript name="challenge.js" />
    </div>
  )
}
