import type { TagFilter } from '../domain/timelines/tag'

/** The filter that finds all public posts with one hashtag. */
export function onlyTag(tag: string): TagFilter {
  return { tag, anyOf: [], allOf: [], noneOf: [], local: false, remote: false, onlyMedia: false }
}
