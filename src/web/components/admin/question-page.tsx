import { useTranslation } from '../../i18n/context'
import type { QuestionWords } from '../../member-pages/question'
import type { Markup } from '../../page'
import { Button } from '../button'
import { PostForm } from '../form'
import { Facts, Panel, type PanelProps } from './panel'

export interface QuestionPageProps extends Pick<PanelProps, 'current'> {
  /** Path that the form was sent to, and is sent to again. */
  readonly action: string
  /** Fields of the form. */
  readonly hidden: Readonly<Record<string, string>>
  /** Name of the thing that is acted upon; empty where the question names it. */
  readonly about: string
  readonly words: QuestionWords
}

/** The page that asks about an act. */
export function questionPage(props: QuestionPageProps): Markup {
  return <QuestionPage {...props} />
}

/** Asks about an act of the panel: its effects, a button that does it and one that leads back. */
function QuestionPage({ current, action, hidden, about, words }: QuestionPageProps) {
  const t = useTranslation()
  const { title, effects, facts = [], button } = words(t)
  return (
    <Panel title={title} current={current}>
      <section class="block" aria-label={title}>
        {about !== '' && (
          <p>
            <strong>
              <bdi>{about}</bdi>
            </strong>
          </p>
        )}
        {effects.map((effect) => (
          <p>{effect}</p>
        ))}
        {facts.length > 0 && <Facts facts={facts} />}
        <PostForm action={action} hidden={hidden}>
          <div class="actions">
            <Button look="danger" name="confirmed" value="true">
              {button}
            </Button>
            <Button look="secondary" name="confirmed" value="false">
              {t('common.cancel')}
            </Button>
          </div>
        </PostForm>
      </section>
    </Panel>
  )
}
