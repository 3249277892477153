import type { OptionalService } from '../../../config'
import { message } from '../../../lib/translate'
import { useTranslation } from '../../i18n/context'

const texts: Readonly<Record<OptionalService, { readonly name: string; readonly effect: string }>> = {
  images: {
    name: message('Images'),
    effect: message(
      'Pictures are kept as uploaded, without previews; HEIC, AVIF and pictures above 8.3 million pixels are refused.',
    ),
  },
  email: {
    name: message('Mail'),
    effect: message(
      'No mail is sent: addresses are confirmed at once, and moderators give out links for new passwords.',
    ),
  },
  queues: {
    name: message('Queues'),
    effect: message('Jobs of a kind run one after the other, and what waits there is in no figure.'),
  },
}

const document = 'docs/operate/deploy.md'

export interface MissingServicesProps {
  readonly services: readonly OptionalService[]
  readonly sourceUrl: string
}

/** Services of the platform that this server goes without, and the effect of each; nothing where it has all. */
export function MissingServices({ services, sourceUrl }: MissingServicesProps) {
  const t = useTranslation()
  if (services.length === 0) return null
  return (
    <section class="card" aria-labelledby="missing-services">
      <h2 id="missing-services">{t('What this server goes without')}</h2>
      <ul>
        {services.map((service) => (
          <li>
            <strong>{t(texts[service].name)}</strong>: {t(texts[service].effect)}
          </li>
        ))}
      </ul>
      <p class="muted">
        {t.rich('How to add them stands in <file></file> of the <link>source code</link>.', {
          file: () => <code>{document}</code>,
          link: (words) => (
            <a href={sourceUrl} rel="noopener">
              {words}
            </a>
          ),
        })}
      </p>
    </section>
  )
}
