/** The rules of the element; the build puts them in. */
export const rules: string;
