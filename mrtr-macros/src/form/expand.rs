//! Writes the impls; what they do is in `mrtr`'s runtime.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Ident};

use crate::names::Krate;

use super::model::{ChoiceModel, FieldModel, NewtypeModel, Shape};

/// The impls of a checked type.
pub(crate) fn expand(ident: &Ident, shape: &Shape, krate: &Krate) -> TokenStream {
    let form = runtime(krate);
    let impls = match shape {
        Shape::Fields(fields) => expand_fields(ident, fields, &form),
        Shape::Choice(choice) => expand_choice(ident, choice, &form),
        Shape::Newtype(newtype) => expand_newtype(ident, newtype, &form),
    };
    quote! {
        const _: () = { #impls };
    }
}

/// The errors, and impls that do nothing, so that uses of the type bring no errors of their own.
pub(crate) fn fallback(input: &DeriveInput, krate: &Krate, errors: TokenStream) -> TokenStream {
    let ident = &input.ident;
    // A generic form has no stub: its parameters would need bounds that are nobody's mistake.
    if !input.generics.params.is_empty() {
        return errors;
    }
    let form = runtime(krate);
    let field =
        matches!(&input.data, Data::Struct(data) if matches!(data.fields, Fields::Unnamed(_)));
    let stubs = match &input.data {
        Data::Enum(_) => quote! {
            #[automatically_derived]
            impl #form::FormField for #ident {}
            #[automatically_derived]
            impl #form::Choice for #ident {}
        },
        _ if field => quote! {
            #[automatically_derived]
            impl #form::FormField for #ident {}
        },
        _ => {
            let never = quote!(::core::unreachable!());
            impl_form(ident, &form, &never, &quote!(let _ = content; #never))
        }
    };
    quote! {
        #errors
        const _: () = { #stubs };
    }
}

fn expand_fields(ident: &Ident, fields: &[FieldModel], form: &TokenStream) -> TokenStream {
    let name = ident.to_string();
    let declared = fields.iter().map(|field| expand_field(field, form));
    // The span makes rustc point at the type's name if it lacks `JsonSchema` or `Deserialize`.
    let make = quote_spanned! {ident.span()=> #form::form_of::<#ident> };
    let read = quote_spanned! {ident.span()=> #form::from_content::<#ident> };
    impl_form(
        ident,
        form,
        &quote!(#make(#name, [#(#declared),*])),
        &quote!(#read(content)),
    )
}

fn expand_field(field: &FieldModel, form: &TokenStream) -> TokenStream {
    let FieldModel { wire, ty, default } = field;
    // The span makes rustc point at the field's type if it is none that a form can ask for.
    match default {
        None => {
            let declared = quote_spanned! {ty.span()=> #form::declared::<#ty> };
            quote!(#declared(#wire))
        }
        Some(default) => {
            let declared = quote_spanned! {ty.span()=> #form::declared_or::<#ty> };
            quote!(#declared(#wire, &#default))
        }
    }
}

fn impl_form(
    ident: &Ident,
    form: &TokenStream,
    make: &TokenStream,
    read: &TokenStream,
) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl #form::Form for #ident {
            fn form() -> ::core::result::Result<#form::FormSchema, #form::FormError> {
                #make
            }
            fn from_content(content: &str) -> ::core::result::Result<Self, #form::ContentError> {
                #read
            }
        }
    }
}

fn expand_choice(ident: &Ident, choice: &ChoiceModel, form: &TokenStream) -> TokenStream {
    let enum_names = choice.enum_names;
    let derives = check_derives(ident, form);
    let arms = choice.variants.iter().map(|variant| {
        let name = &variant.ident;
        match &variant.wire {
            Some(wire) => quote!(Self::#name => #form::choice_named(#wire)),
            None => quote!(Self::#name { .. } => ::core::option::Option::None),
        }
    });
    quote! {
        #[automatically_derived]
        impl #form::FormField for #ident {
            fn to_default(&self) -> ::core::option::Option<#form::Json> {
                match self {
                    #(#arms,)*
                }
            }
            fn enum_names() -> bool {
                #enum_names
            }
        }
        #[automatically_derived]
        impl #form::Choice for #ident {}
        #derives
    }
}

/// The span makes rustc point at the type's name if it lacks `JsonSchema` or `Deserialize`.
fn check_derives(ident: &Ident, form: &TokenStream) -> TokenStream {
    let check = quote_spanned! {ident.span()=> #form::check_derives::<#ident> };
    quote!(const _: fn() = #check;)
}

fn expand_newtype(ident: &Ident, newtype: &NewtypeModel, form: &TokenStream) -> TokenStream {
    let ty = &newtype.ty;
    let derives = check_derives(ident, form);
    let inner = quote_spanned! {ty.span()=> <#ty as #form::FormField> };
    let default = if newtype.is_inner {
        quote!(#inner::to_default(&self.0))
    } else {
        quote!(::core::option::Option::None)
    };
    quote! {
        #[automatically_derived]
        impl #form::FormField for #ident {
            fn to_default(&self) -> ::core::option::Option<#form::Json> {
                #default
            }
            fn enum_names() -> bool {
                #inner::enum_names()
            }
        }
        #derives
    }
}

/// The module that expansions call into.
fn runtime(krate: &Krate) -> TokenStream {
    let private = krate.private();
    quote!(#private::form)
}
