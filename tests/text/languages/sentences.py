"""Sentences about an inn in several languages, the last one worse."""

SENTENCES = {
    "ar": ["الفندق رخيص وقريب من النهر.", "الطعام جيد والأطفال مرحب بهم.", "الفندق الفندق"],
    "cs": ["Hostinec je levný a leží u řeky.", "Jídlo je dobré a děti jsou zde vítány.", "Hostinec hostinec levný"],
    "de": ["Das Gasthaus ist billig und liegt am Fluss.", "Das Essen ist gut, und Kinder sind willkommen.",
        "Das Gasthaus Gasthaus billig"],
    "en": ["The inn is cheap and it is near the river.", "The food is good, and children are welcome.",
        "The inn inn cheap"],
    "fr": ["L'auberge est bon marché et se trouve près de la rivière.",
        "La cuisine est bonne et les enfants sont les bienvenus.", "L'auberge auberge marché"],
    "hi": ["सराय सस्ती है और नदी के पास है।", "खाना अच्छा है और बच्चों का स्वागत है।", "सराय सराय सस्ती"],
    "ja": ["この宿は安くて川のそばにあります。", "料理はおいしく、子供も歓迎です。", "宿宿安い"],
    "ko": ["이 여관은 싸고 강 근처에 있습니다.", "음식이 맛있고 아이들도 환영합니다.", "여관 여관 싸다"],
    "ru": ["Гостиница дешёвая и находится у реки.", "Еда хорошая, и детям здесь рады.", "Гостиница гостиница дешёвая"],
    "th": ["โรงแรมนี้ราคาถูกและอยู่ริมแม่น้ำ", "อาหารอร่อยและยินดีต้อนรับเด็ก ๆ", "โรงแรมโรงแรมถูก"],
    "zh": ["这家旅馆很便宜,在河边。", "食物很好,也欢迎孩子。", "旅馆旅馆便宜"],
}  # fmt: skip
