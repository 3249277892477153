import * as z from 'zod'
import { ExtendedDescription, Language, PrivacyPolicy, TermsOfService } from '../contract/entities/instance'
import { combineQueries, constant } from '../db/query'
import { loadSettingsWithTimes, pickSettings } from '../domain/instance/settings'
import { currentTerms, type Terms, termsOf } from '../domain/instance/terms'
import { aboutText, privacyText } from '../domain/instance/texts'
import { translationPairs } from '../domain/translations/translate'
import { NotFound } from '../errors'
import { languages } from '../lib/language'
import { renderDocument } from '../lib/text/document'
import { cachedSeconds } from '../ports/app-env'
import { timestamp, timestampOrNull } from '../view/present/time'
import { anyone, readEndpoint } from './endpoint'

const minutes = 60

export const instanceTexts = [
  readEndpoint({
    path: '/api/v1/instance/extended_description',
    summary: 'The about text',
    auth: anyone(),
    output: ExtendedDescription,
    maxAgeSeconds: 5 * minutes,
    caching: { seconds: cachedSeconds.server },
    read: loadSettingsWithTimes,
    show: (_ctx, { found }) => {
      const { markdown, updatedAt } = aboutText(found.settings, found.changedAt)
      return { updated_at: timestampOrNull(updatedAt), content: renderDocument(markdown) }
    },
  }),
  readEndpoint({
    path: '/api/v1/instance/privacy_policy',
    summary: 'The privacy policy',
    auth: anyone(),
    output: PrivacyPolicy,
    maxAgeSeconds: 5 * minutes,
    caching: { seconds: cachedSeconds.server },
    read: loadSettingsWithTimes,
    show: (_ctx, { found }) => {
      const { markdown, updatedAt } = privacyText(found.settings, found.changedAt)
      return { updated_at: timestamp(updatedAt), content: renderDocument(markdown) }
    },
  }),
  readEndpoint({
    path: '/api/v1/instance/terms_of_service',
    summary: 'The terms of service in force',
    auth: anyone(),
    output: TermsOfService,
    maxAgeSeconds: 5 * minutes,
    caching: { seconds: cachedSeconds.server },
    read: (ctx) =>
      combineQueries({ settings: pickSettings(ctx, ['termsOfService']), terms: currentTerms(ctx) }),
    show: ({ clock }, { found }) => {
      if (found.settings.termsOfService === null) throw new NotFound()
      return presentTerms(found.terms, clock.now())
    },
  }),
  readEndpoint({
    path: '/api/v1/instance/terms_of_service/:date',
    summary: 'The terms of service that came into force on a day',
    auth: anyone(),
    input: z.object({ date: z.string() }),
    output: TermsOfService,
    maxAgeSeconds: 5 * minutes,
    read: (ctx, { input }) => termsOf(ctx, input.date),
    show: ({ clock }, { found }) => presentTerms(found, clock.now()),
  }),
  readEndpoint({
    path: '/api/v1/instance/languages',
    summary: 'The languages a status can be written in',
    auth: anyone(),
    output: z.array(Language),
    maxAgeSeconds: 60 * minutes,
    read: () => constant(null),
    show: () => languages.map(({ code, name }) => ({ code, name })),
  }),
  readEndpoint({
    path: '/api/v1/instance/translation_languages',
    summary: 'What can be translated into what: nothing without a translation service',
    auth: anyone(),
    output: z.record(z.string(), z.array(z.string())),
    maxAgeSeconds: 60 * minutes,
    read: () => constant(null),
    show: async (ctx) => {
      const pairs = Object.entries(await translationPairs(ctx))
      return Object.fromEntries(pairs.map(([source, targets]) => [source, [...targets]]))
    },
  }),
]

function presentTerms(terms: Terms | null, now: Date): TermsOfService {
  if (terms === null) throw new NotFound()
  return {
    effective_date: terms.effectiveOn,
    effective: terms.effectiveOn <= now.toISOString().slice(0, 10),
    content: renderDocument(terms.text),
    succeeded_by: terms.succeededOn,
  }
}
