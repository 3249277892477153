/** Refusals in English that forms of pages can show, with the file that makes each; `{}` stands for what is filled in. */
export function refusalsOfPages(): ReadonlyMap<string, string>
