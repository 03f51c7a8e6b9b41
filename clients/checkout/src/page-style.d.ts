/** The rules of the hosted page (`www/checkout.css`) for the parts that the element has too; the build puts them in. */
export const rules: string;
