import * as z from 'zod'
import { Html, IdString } from '../scalars'

export const TranslationPollOption = z
  .strictObject({
    title: z.string(),
  })
  .meta({ id: 'TranslationPollOption' })
export type TranslationPollOption = z.infer<typeof TranslationPollOption>

export const TranslationPoll = z
  .strictObject({
    id: IdString,
    options: z.array(TranslationPollOption),
  })
  .meta({ id: 'TranslationPoll' })
export type TranslationPoll = z.infer<typeof TranslationPoll>

export const TranslationAttachment = z
  .strictObject({
    id: IdString,
    description: z.string().nullable(),
  })
  .meta({ id: 'TranslationAttachment' })
export type TranslationAttachment = z.infer<typeof TranslationAttachment>

export const Translation = z
  .strictObject({
    content: Html,
    spoiler_text: z.string(),
    language: z.string().nullable(),
    poll: TranslationPoll.nullable().exactOptional(),
    media_attachments: z.array(TranslationAttachment),
    detected_source_language: z.string().nullable(),
    provider: z.string(),
  })
  .meta({ id: 'Translation' })
export type Translation = z.infer<typeof Translation>
